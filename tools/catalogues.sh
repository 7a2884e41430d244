#!/bin/sh
# Brings the catalogues up to date with the phrases in the sources; then translate what is empty.
set -eu
cd "$(dirname -- "$0")/.."
words=src/quinconce/words
template=$(mktemp)
trap 'rm -f "$template"' EXIT
.venv/bin/pybabel extract --mapping tools/babel.cfg --project Quinconce --no-location --sort-output \
    --output-file "$template" src/quinconce
.venv/bin/pybabel update --domain quinconce --no-fuzzy-matching --ignore-obsolete \
    --ignore-pot-creation-date --input-file "$template" --output-dir "$words"
.venv/bin/pybabel compile --domain quinconce --directory "$words"
