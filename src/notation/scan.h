/* Reading text from outside, piece by piece. The first piece that is not as expected is kept as
 * the error, with its place; everything after it fails quietly, so a reader needs to look once. */
#ifndef GRAL_NOTATION_SCAN_H
#define GRAL_NOTATION_SCAN_H

#include "gral/notation.h"

typedef struct scan {
    gral_span source;
    size_t at;
    uint32_t line, column; /* of the first byte of the source */
    gral_error *error;
    bool failed;
} scan;

scan scan_of(gral_span source, gral_error *error);

/* Fails here: "expected …, not '…'". Always false. */
bool scan_expected(scan *scan, const char *what);

/* Fails at a place before, with words of its own. Always false. */
bool scan_fail_at(scan *scan, size_t at, const char *message);

bool scan_at_end(const scan *scan);

/* Each takes what it names and is true, or fails with `what` as the thing expected. */
bool scan_end(scan *scan, const char *what);
bool scan_literal(scan *scan, const char *literal, const char *what);
bool scan_number(scan *scan, uint32_t most, uint32_t *number, const char *what);
bool scan_long_number(scan *scan, uint64_t most, uint64_t *number, const char *what);
bool scan_pawn(scan *scan, uint8_t *pawn);
bool scan_field(scan *scan, uint8_t *field);

/* Takes the literal if it is there; never fails. */
bool scan_if(scan *scan, const char *literal);

/* The bytes up to, and without, the next one of `stops`, or the end. */
gral_span scan_until(scan *scan, const char *stops);

/* The length of the UTF-8 sequence at the start, or 0 for bytes that are none or that a terminal
 * would obey: control characters, overlong forms, surrogates. `left` is at least 1. */
size_t scan_plain(const char *bytes, size_t left);

bool span_is(gral_span span, const char *words);

#endif
