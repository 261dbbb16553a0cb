/* The record of a game as anybody may have it: signed, and with the checks of its lines (docs/fair.md). */
#include "server/persons.h"
#include "server/tables.h"

#include "fair/blake2b.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void write_record(gral_text *text, const void *context)
{
    const record_source *source = context;
    char date[16];
    struct tm utc;
    const time_t created = (time_t)(source->created / 1000);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&created, &utc));
    gral_signer_tag(text, signing_signer(source->signing));
    gral_host_record(source->host, source->names, date, text);
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
static void sign(const record_source *source, gral_span record, signed_record *known)
{
    const gral_span statement = memory_print(write_statement, &record);
    uint8_t hash[GRAL_SEAL_BYTES];
    fair_blake2b(statement.bytes, statement.length, hash);
    if (memcmp(hash, known->hash, sizeof hash) != 0) {
        known->signature = signing_sign(source->signing, statement);
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

char *record_write(const record_source *source, size_t *length)
{
    signed_record new = {0}, *known = source->known != NULL ? source->known : &new;
    const gral_span record = memory_print(write_record, source);
    sign(source, record, known);
    const signed_text signed_text = {&known->signature, record};
    const gral_span whole = memory_print(write_signed, &signed_text);
    const gral_span checked = memory_print(write_checked, &whole);
    free((char *)record.bytes);
    free((char *)whole.bytes);
    *length = checked.length;
    return (char *)checked.bytes;
}

char *table_record(table *table, size_t *length)
{
    record_source source = {.host = table->host,
                            .created = table->created,
                            .signing = table->server->signing,
                            .known = &table->signed_record};
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        source.names[seat] = at.user != 0 ? person_name(table->server, at.user) : at.player;
    }
    return record_write(&source, length);
}
