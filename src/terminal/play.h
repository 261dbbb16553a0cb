/* A game that is played here, by people who share a keyboard and a screen, and by computer players.
 *
 * A host has it, as everywhere. He would ask all at the same time; at one screen they are asked one after the other,
 * clockwise (Q13), and what each has said the next one hears. What somebody is about to say, an assignment up to its
 * `done`, is a draft: it can be taken back, and the host does not have it yet.
 *
 * All of it, the draft too, is kept on disk after every action. What is kept is a record; to resume it is to give its
 * actions to a host again, and at the end of the game nothing needs to be done to it. It holds everybody's secrets.
 * What a front end gets is for the eyes of one seat or of a spectator: play_look, play_heard, play_event and play_hint.
 */
#ifndef GRAL_TERMINAL_PLAY_H
#define GRAL_TERMINAL_PLAY_H

#include "words.h"

#include <limits.h>

enum { PLAY_NAME_MAX = 200 };

typedef struct play {
    gral_host *host;
    gral_record record;                             /* all that was done and drafted … */
    size_t given;                                   /* … of which the host has so much */
    char name[GRAL_PLAYERS_MAX][PLAY_NAME_MAX + 1]; /* a person's, which may be empty, or a computer player's text */
    gral_player *player[GRAL_PLAYERS_MAX];          /* NULL for a person */
    words_names names;                              /* how they are called */
    unsigned people;                                /* how many seats are theirs */
    gral_player *adviser;                           /* for hints */
    gral_clock *clock;                              /* NULL in a game that is to be repeatable */
    char save[PATH_MAX];                            /* where the game is kept; empty for nowhere */
    int lock;                                       /* on the file beside it; only with a `save` */
    const char *save_failed;                        /* why the newest action is not on disk, or NULL */
    gral_state past;                                /* as it was after `past_count` actions of the record */
    size_t past_count;
} play;

/* How a computer player is made from its text, as gral_player_make does it. A save comes from outside: this function
 * decides what it may start. */
typedef gral_player *play_source(gral_span text, gral_error *error);

/* Who sits on a seat. Names are UTF-8 without control characters. */
typedef struct play_seat {
    const char *name;
    bool computer;
} play_seat;

typedef struct play_setup {
    gral_settings settings;
    play_seat seat[GRAL_PLAYERS_MAX]; /* as many as the settings have players */
    uint64_t seed;                    /* all the chance there is in the computer players */
    const char *date;                 /* "2026-11-15", for the record; NULL for none */
} play_setup;

/* A new game in its opening, or the one in a save or any record: a seat without a tag for its kind is a person's. False
 * on an error; its line and column say where in the save it is, or are 0 for something about a seat. `play` is zeroed
 * or claimed before, and to be ended in both cases. */
bool play_begin(play *play, const play_setup *setup, play_source *source, gral_error *error);
bool play_resume(play *play, gral_span save, play_source *source, gral_error *error);
void play_end(play *play);

/* --- what everybody may know --- */

const gral_game *play_game(const play *play);

/* Who must act, or GRAL_NOBODY when the game is over. */
unsigned play_actor(const play *play);

/* --- what one viewer may know --- */

/* The viewer's view and what he may do now, which is nothing when he is not the one to act. */
gral_view play_look(const play *play, unsigned viewer, gral_options *options);

/* How many actions the viewer has heard of, and one of them. */
size_t play_heard(const play *play, unsigned viewer);
event play_event(play *play, unsigned viewer, size_t index);

/* What the adviser would do on this seat. Refused when it is not the one to act. `clock` may be NULL. */
enum gral_host_refusal play_hint(const play *play, unsigned seat, gral_clock *clock, gral_explanation *explanation);

/* --- acting --- */

/* Each has the game on disk afterwards, unless it was refused. A front end that finds save_failed set says so; the game
 * goes on. */

/* A person's action. */
enum gral_host_refusal play_do(play *play, unsigned seat, gral_action action);

/* The whole of what the computer player who must act does now. */
enum gral_host_refusal play_step(play *play);

/* Takes the newest action of the draft back; false if there is none. What was said is said: the rest may have told
 * somebody something. */
bool play_take_back(play *play);
bool play_is_drafting(const play *play);

/* --- keeping it --- */

/* The game is to be kept there. False if that cannot be, or another process plays a game that is kept there, and `why`
 * says so. Nothing is written yet. */
bool play_claim(play *play, const char *path, const char **why);

/* Writes it there, if it was claimed; `save_failed` says if that went wrong. */
void play_keep(play *play);
void play_release(play *play);

/* A copy of the game in another file, which must not be there yet. On failure `why` says what is wrong. */
bool play_copy(const play *play, const char *path, const char **why);

/* Where the game is kept, or why it is not: a sentence. */
void play_tell_kept(const play *play, gral_text *text);

/* The same for those who leave: how to go on, or where the record is. */
void play_tell_parting(const play *play, gral_text *text);

/* --- showing it --- */

/* Until the game's end, or until the people leave. On a terminal that can do no more than lines the second is the
 * first. */
void play_plainly(play *play);
void play_on_screen(play *play);

/* Words that a person types, without regard to capitals and spaces. */
enum play_command {
    PLAY_NOTHING, /* an empty line */
    PLAY_ACTIONS, /* one or more actions */
    PLAY_BOARD,
    PLAY_MAP,
    PLAY_SHEET,
    PLAY_NOTEPAD,
    PLAY_LOG,
    PLAY_LEGAL,
    PLAY_HINT,
    PLAY_UNDO,
    PLAY_SAVE,
    PLAY_RULES,
    PLAY_HELP,
    PLAY_QUIT,
    PLAY_COMMANDS,
    PLAY_UNKNOWN,   /* no command begins like this */
    PLAY_AMBIGUOUS, /* several do */
    PLAY_MALFORMED  /* an action whose words are not as `usage` says */
};

enum { PLAY_ACTIONS_MAX = 24, PLAY_LINE_MAX = 4096 };

typedef struct play_typed {
    enum play_command command;
    gral_action action[PLAY_ACTIONS_MAX];
    unsigned actions;
    const char *usage;        /* PLAY_MALFORMED: how it is written, in the notation */
    char rest[PLAY_LINE_MAX]; /* what follows a command's word, as it was typed */
} play_typed;

/* `phase` gives a number alone its meaning: an objection or a claim. */
play_typed play_read(const char *line, enum gral_phase phase);

/* What can be typed, for a help text. */
void play_help(gral_text *text);

#endif
