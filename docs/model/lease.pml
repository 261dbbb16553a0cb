/* Several servers on one database: who may write what. Two servers, one game, two players and somebody who looks on;
 * servers that are killed, slow, or let go of the game; connections that are lost; a standby that is promoted.
 *
 * What the database does, it does at once and for good. Between a server and the database words may take as long as they
 * like and arrive when nobody waits for them any more, and an answer may be lost. A server may be taken for dead while it
 * is only slow.
 *
 * What keeps order, each of which can be left out to see what happens then:
 *   -DNO_NUMBERS   whoever appends to a game need not say which number he expects to be free
 *   -DNO_FENCE     what comes by itself is written without the number of the lease
 *   -DNO_RAISE     the lease has the same number whoever gets it
 *   -DNO_WRITER    words that come by an old connection are done
 *   -DNO_SETTLING  what is in doubt is sent again without looking whether it is there
 *   -DNO_HAVE      who comes from another server is shown what this one has, however little
 *   -DNO_TAKING    nobody takes the games of the dead
 *   -DEARLY        a request is answered before it is written */

#define SERVERS 2
#ifdef RESTART
#define LIVES (SERVERS + 1) /* the one that is killed is started again: another server, by its id */
#else
#define LIVES SERVERS
#endif
#define LONGEST 3 /* texts; then the game is over */
#ifndef MISHAPS
#define MISHAPS 2 /* in all, of any kind */
#endif
#define LOSSES 1 /* of connections */
#define WIRES (LOSSES + 1)
#define NOBODY 9

/* What is written: what Ann does in the game; what Bob says that has no number of its own, such as a complaint; and what
 * comes by itself when a clock has run out. */
#define ANN 1
#define BOB 2
#define CLOCK 4

mtype = { none, done, conflict };

/* --- the database --- */
byte text[LONGEST];
byte length = 0;
byte notes = 0;
byte keeper = NOBODY, fence = 0; /* the lease of the game */
bool beats[LIVES];               /* the servers that live, as far as the database knows */
byte writer[LIVES];              /* the connection by which each of them may write, from 1 on */
bit group[LIVES];                /* the number of the last group written so, and what came of it */
mtype outcome[LIVES] = none;

/* --- between them: a wire for each connection --- */
chan ask[LIVES * WIRES] = [1] of { bit /* number of the group */, byte /* expected */, byte /* fence */, byte /* what */ };
chan answer[LIVES] = [1] of { mtype };

/* --- what a server knows --- */
byte copy[LIVES]; /* texts */
bool runs[LIVES];

/* --- what people see --- */
byte wants[LIVES]; /* bits: who waits there */
byte answered = 0;
byte seen = 0;
byte mishaps = 0, losses = 0;
bool killed = false;

#define WIRE(s, connection) ((s) * WIRES + (connection) - 1)

/* The far end of a connection: what comes by it is done in the order in which it comes. */
proctype backend(byte s; byte connection) {
    bit number;
    byte expected, under, what;
    mtype found;
end:
    do
    :: atomic {
        ask[WIRE(s, connection)] ? number, expected, under, what ->
        if
#ifndef NO_WRITER
        :: writer[s] != connection /* none of it is done */
#endif
        :: else ->
            found = done;
            if
            :: what == BOB -> notes++
#ifndef NO_FENCE
            :: what == CLOCK && under != fence -> found = conflict
#endif
#ifndef NO_NUMBERS
            :: what != BOB && expected != length -> found = conflict
#endif
            :: what != BOB && length == LONGEST -> found = conflict
            :: else ->
                assert(what != CLOCK || keeper == s); /* nobody's clock runs out but where the keeper says so */
                text[length] = what;
                length++
            fi;
            if
            :: runs[s] && writer[s] == connection -> group[s] = number; outcome[s] = found; answer[s] ! found
            :: else /* nobody hears it */
            fi
        fi;
        number = 0; expected = 0; under = 0; what = 0; found = none
    }
    od
}

inline send() {
    ask[WIRE(s, connection)] ! number, expected, under, want
}

inline begin_group(what) {
    want = what; number = 1 - number; expected = copy[s]; under = lease;
#ifdef EARLY
    if
    :: want <= BOB -> answered = answered | want
    :: else
    fi;
#endif
    send()
}

/* The group is written, or was refused. */
inline take_answer(found) {
    if
    :: found == done && want == ANN -> copy[s] = expected + 1; answered = answered | ANN
    :: found == done && want == BOB -> answered = answered | BOB
    :: found == done && want == CLOCK -> copy[s] = expected + 1
    :: found == conflict -> /* somebody was there first, or keeps it now: looks, and judges anew */
        copy[s] = length;
        if
        :: want <= BOB -> wants[s] = wants[s] | want
        :: else
        fi
    :: else
    fi;
    want = 0; expected = 0; under = 0
}

#define is_silent(other) (beats[s] && s != other && beats[other] && (!runs[other] || mishaps < MISHAPS))
inline take_for_dead(other) {
    if
    :: runs[other] -> mishaps++
    :: else
    fi;
    beats[other] = false
}

proctype server(byte s) {
    byte connection = 1, lease = 0; /* 0: another keeps the game */
    byte want = 0, expected = 0, under = 0, ticket = 0, i = 0;
    bit number = 0;
    bool is_there = false, clock = false;
    mtype found = none;
    atomic { beats[s] = true; writer[s] = 1; copy[s] = length };
end:
    do
    /* A player's request: one that was done before is answered as it was then. */
    :: atomic {
        want == 0 && wants[s] != 0 ->
        if
        :: wants[s] & ANN -> ticket = ANN
        :: wants[s] & BOB -> ticket = BOB
        fi;
        wants[s] = wants[s] & ~ticket;
        for (i : 0 .. LONGEST - 1) {
            if
            :: i < copy[s] && text[i] == ticket -> is_there = true
            :: else
            fi
        };
        if
        :: is_there || (ticket == ANN && copy[s] == LONGEST) -> answered = answered | ticket /* in a game that is over: refused */
        :: else -> begin_group(ticket)
        fi;
        is_there = false; ticket = 0; i = 0
    }
    /* What comes by itself. */
    :: atomic { want == 0 && lease != 0 && !clock && copy[s] < LONGEST -> clock = true; begin_group(CLOCK) }
    :: atomic { want != 0 && len(answer[s]) > 0 -> answer[s] ? found; take_answer(found); found = none }
    /* What others have written. */
    :: atomic { want == 0 && copy[s] < length -> copy[s] = length }
    /* The connection is lost. By the new one it says that no other counts, and with the same words asks what was
     * written: then it is known what becomes of the group. */
    :: atomic {
        want != 0 && losses < LOSSES && mishaps < MISHAPS ->
        mishaps++; losses++;
        if
        :: len(answer[s]) > 0 -> answer[s] ? found
        :: else
        fi;
        connection++; writer[s] = connection;
        run backend(s, connection);
        if
#ifndef NO_SETTLING
        :: group[s] == number -> found = outcome[s]; take_answer(found)
#endif
        :: else -> send()
        fi;
        found = none
    }
    /* It says that it lives, and learns that it was taken for dead. */
    :: atomic { !beats[s] -> beats[s] = true; lease = 0 }
    /* Another was not heard of for too long. */
    :: atomic { is_silent(0) -> take_for_dead(0) }
    :: atomic { is_silent(1) -> take_for_dead(1) }
#ifdef RESTART
    :: atomic { is_silent(2) -> take_for_dead(2) }
#endif
    /* A game without a keeper who lives is kept by who needs it. */
    :: atomic {
#ifndef NO_TAKING
        beats[s] && lease == 0 && (keeper == NOBODY || !beats[keeper]) ->
#else
        beats[s] && lease == 0 && keeper == NOBODY ->
#endif
        keeper = s;
#ifndef NO_RAISE
        fence++;
#else
        fence = 1;
#endif
        lease = fence; clock = false
    }
    /* It lets go of it. */
    :: atomic {
        want == 0 && lease != 0 && mishaps < MISHAPS ->
        mishaps++;
        if
        :: lease == fence && keeper == s -> keeper = NOBODY
        :: else
        fi;
        lease = 0
    }
    /* Killed: everything in memory is gone, and people go elsewhere with the same tickets. */
    :: atomic {
        !killed && s < SERVERS && mishaps < MISHAPS ->
        mishaps++; killed = true; runs[s] = false;
        i = 1 - s;
#ifdef RESTART
        runs[SERVERS] = true;
        run backend(SERVERS, 1); run server(SERVERS);
        if
        :: i = SERVERS
        :: true
        fi;
#endif
        if
        :: want <= BOB -> wants[i] = wants[i] | want
        :: else
        fi;
        wants[i] = (wants[i] | wants[s]) & ~answered;
        wants[s] = 0;
        copy[s] = 0; want = 0; expected = 0; under = 0; lease = 0; number = 0; clock = false; i = 0;
        if
        :: len(answer[s]) > 0 -> answer[s] ? found; found = none
        :: else
        fi;
        group[s] = 0; outcome[s] = none;
        goto dead
    }
    od;
dead:
    skip
}

/* Somebody looks on, now at one server and now at another. */
inline look_at(s) {
#ifndef NO_HAVE
    if
    :: copy[s] < seen -> copy[s] = length
    :: else
    fi;
#endif
    assert(copy[s] >= seen); /* nobody sees a step backwards */
    seen = copy[s]
}

proctype viewer() {
end:
    do
    :: atomic { runs[0] && copy[0] != seen -> look_at(0) }
    :: atomic { runs[1] && copy[1] != seen -> look_at(1) }
#ifdef RESTART
    :: atomic { runs[2] && copy[2] != seen -> look_at(2) }
#endif
    od
}

/* Somebody waits for too long, and asks once more elsewhere. */
proctype impatient() {
end:
    atomic { !(answered & ANN) && runs[1] && mishaps < MISHAPS -> mishaps++; wants[1] = wants[1] | ANN }
}

/* The standby is promoted. Heartbeats do not wait for it: of these, and of these alone, the last may be lost. */
proctype promotion() {
    byte s;
end:
    atomic {
        mishaps < MISHAPS ->
        mishaps++;
        select(s : 0 .. LIVES - 1);
        if
        :: writer[s] != 0 -> beats[s] = !beats[s]
        :: else
        fi;
        s = 0
    }
}

proctype judge() {
    byte i, j;
    atomic {
        timeout -> /* nothing more can happen */
        assert(answered == (ANN | BOB));
        /* What was answered is there, unless the game was over before; what was asked for again is there once. */
        assert(length == LONGEST || text[0] == ANN || text[1] == ANN);
        assert(notes == 1 || (killed && notes == 2)); /* he complains again to whoever knows nothing of it */
        for (i : 0 .. LONGEST - 1) { /* and nothing twice: a clock, once for each who keeps it */
            for (j : 0 .. LONGEST - 1) {
                assert(i >= j || j >= length || text[i] != text[j] || text[i] == CLOCK)
            }
        };
        /* One who lives keeps it. */
        assert(keeper != NOBODY && runs[keeper] && beats[keeper])
    }
}

init {
    atomic {
        runs[0] = true; runs[1] = true;
        run backend(0, 1); run backend(1, 1);
        run server(0); run server(1);
        if
        :: wants[0] = ANN | BOB
        :: wants[0] = BOB; wants[1] = ANN
        fi;
        run viewer(); run impatient(); run promotion();
        run judge()
    }
}
