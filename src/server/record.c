/* The record of a game as anybody may have it: signed, and with the checks of its lines (docs/fair.md). */
#include "server/parts.h"

#include "fair/blake2b.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void write_record(gral_text *text, const void *context)
{
    const table *table = context;
    const char *names[GRAL_PLAYERS_MAX] = {0};
    char date[16];
    struct tm utc;
    const time_t created = (time_t)(table->created / 1000);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&created, &utc));
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        names[seat] = at.user != 0 ? person_name(table->server, at.user) : at.player;
    }
    gral_signer_tag(text, signing_signer(table->server->signing));
    gral_host_record(table->host, names, date, text);
}

static void write_statement(gral_text *text, const void *context)
{
    gral_statement_print(text, *(const gral_span *)context, false);
}

static void write_checked(gral_text *text, const void *context)
{
    gral_checks_add(text, *(const gral_span *)context, fair_blake2b);
}

/* A new signature costs as much as all the rest, so it is made only when something public has changed. */
static void sign(table *table, gral_span record)
{
    const gral_span statement = memory_print(write_statement, &record);
    signed_record *known = &table->signed_record;
    uint8_t hash[GRAL_SEAL_BYTES];
    fair_blake2b(statement.bytes, statement.length, hash);
    if (memcmp(hash, known->hash, sizeof hash) != 0) {
        known->signature = signing_sign(table->server->signing, statement);
        memcpy(known->hash, hash, sizeof hash);
    }
    free((char *)statement.bytes);
}

typedef struct signed_text {
    const gral_signature *signature;
    gral_span record;
} signed_text;

static void write_signed(gral_text *text, const void *context)
{
    const signed_text *whole = context;
    gral_signature_tag(text, whole->signature);
    gral_text_add_bytes(text, whole->record.bytes, whole->record.length);
}

char *table_record(table *table, size_t *length)
{
    const gral_span record = memory_print(write_record, table);
    sign(table, record);
    const signed_text signed_text = {&table->signed_record.signature, record};
    const gral_span whole = memory_print(write_signed, &signed_text);
    const gral_span checked = memory_print(write_checked, &whole);
    free((char *)record.bytes);
    free((char *)whole.bytes);
    *length = checked.length;
    return (char *)checked.bytes;
}
