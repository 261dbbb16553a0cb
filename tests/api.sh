#!/bin/sh
# The reference of libgral is made without a warning, and every function and type in it has words: api.sh SOURCE FOLDER
set -eu
cd "$1"
mkdir -p "$2"
{
    cat tools/Doxyfile
    echo "OUTPUT_DIRECTORY = $2"
} | doxygen -
grep -q gral_apply "$2/html/state_8h.html"
grep -q 'href="state_8h.html.*gral_legal_list()' "$2/html/index.html" # the first page leads to it

# What a name says may be enough for the member of a struct or a value of an enumeration.
{
    cat tools/Doxyfile
    echo "OUTPUT_DIRECTORY = $2"
    echo "GENERATE_HTML = NO"
    echo "EXTRACT_ALL = NO"
    echo "WARN_AS_ERROR = NO"
} | doxygen - 2>&1 | grep 'is not documented' | grep -v '(variable) of struct\|enumvalue' && exit 1
exit 0
