#!/bin/sh
# The reference of libgral is made without a warning, which means that everything in it has words, too: api.sh SOURCE FOLDER
set -eu
cd "$1"
mkdir -p "$2"
{
    cat tools/Doxyfile
    echo "OUTPUT_DIRECTORY = $2"
} | doxygen -
grep -q gral_apply "$2/html/state_8h.html"
grep -q 'href="state_8h.html.*gral_legal_list()' "$2/html/index.html" # the first page leads to it
if grep -E '^(EXTRACT_ALL|WARN_IF_UNDOCUMENTED)' tools/Doxyfile; then # with these it says nothing of what has none
    exit 1
fi
