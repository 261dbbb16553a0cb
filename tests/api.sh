#!/bin/sh
# The reference of libgral is made without a warning: api.sh SOURCE FOLDER
set -eu
cd "$1"
mkdir -p "$2"
{
    cat tools/Doxyfile
    echo "OUTPUT_DIRECTORY = $2"
} | doxygen -
grep -q gral_apply "$2/html/state_8h.html"
