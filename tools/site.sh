#!/bin/sh
# Builds the site of the documentation: tools/site.sh [FOLDER]; what is wrong in it is an error.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$here"
exec .venv/bin/mkdocs build --strict --site-dir "${1:-build/site}"
