#!/bin/sh
# Makes the pictures of the README anew; a test compares the SVG files with what `draw` draws now.
set -eu
cd "$(dirname -- "$0")/.."
PATH=$PWD/.venv/bin:$PATH
export QUINCONCE_LANG=en
to=docs/pictures
quinconce draw diam --after "r@1 m@1 o@3 n@3 r@3 m@5 o@6 n@6 r@6 m@7 r@7 n@2 3.1-4" --out $to/diam-2003.svg
quinconce draw diam -o edition=1997 -o players=4 --after "r@1 j@3 v@5 b@7 1.1-2 j@8 v@4 7.1-8 2.1-3 j@1 4.1-5 b@6 r@2 1.1-2" --out $to/diam-1997.svg
quinconce draw diadema --after "@3 @D @F @2 @B @1 @G 2^A G-6 @G" --out $to/diadema.svg
quinconce draw seega --after "@c1+e5 @c5+e4 @b2+d4 @a1+d1 @a4+b5 @c2+d3 @d5+e3" --out $to/seega-placing.svg
quinconce draw seega --after "@c1+e5 @c5+e4 @b2+d4 @a1+d1 @a4+b5 @c2+d3 @d5+e3 @b1+b4 @d2+e1 @c4+e2 @a2+b3 @a3+a5 b3xc3xb3xb4 a3xb3xa3xd3" --out $to/seega-moving.svg
quinconce draw buts --after "G6-F6 B5-C5 G4^E6 C4-D4 F6^D6 B3-A3 E6^G4 B1^D3^D5^B5^D7" --out $to/buts.svg
python tools/screenshots.py $to
