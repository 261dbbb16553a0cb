/* The program of tomorrow: that of today with one more version of the database in PostgreSQL (server/many_versions.py).
 * NEXT_BESIDE says whether those of today can go on beside it. */
#define postgres_steps   steps_of_today
#define postgres_version version_of_today
#include "store/postgres_schema.c"
#undef postgres_steps
#undef postgres_version

extern const postgres_step postgres_steps[];
extern const unsigned postgres_version;

/* What such a step may do: columns of tables that are written all the time, an index, a table. */
static const char added[] = "ALTER TABLE game ADD COLUMN colour" COUNT " DEFAULT 0;"
                            "ALTER TABLE seat ADD COLUMN colour" COUNT " DEFAULT 0;"
                            "ALTER TABLE log ADD COLUMN colour" COUNT " DEFAULT 0;"
                            "ALTER TABLE user ADD COLUMN colour" COUNT " DEFAULT 0;"
                            "ALTER TABLE session ADD COLUMN colour" COUNT " DEFAULT 0;"
                            "CREATE INDEX game_colour ON game(colour, id);"
                            "CREATE TABLE paint(colour bigint PRIMARY KEY, name" NAME ");";

const postgres_step postgres_steps[] = {{.words = tables},
                                        {.words = servers},
                                        {.words = flat},
                                        {.words = cleared_at_once, .beside = true},
                                        {.words = added, .beside = NEXT_BESIDE}};
const unsigned postgres_version = POSTGRES_FIRST_VERSION - 1 + sizeof postgres_steps / sizeof *postgres_steps;
_Static_assert(sizeof postgres_steps / sizeof *postgres_steps == sizeof steps_of_today / sizeof *steps_of_today + 1,
               "one more than today");
