#include "learned.h"

#include <assert.h>
#include <stdlib.h>

static void *room;

void *learned_room(void)
{
    if (room == NULL)
        room = malloc(learned_size());
    return room;
}

void learned_inside(learned_net *net)
{
    const bool read = room != NULL && learned_read(net, room, learned_size());
    assert(read);
    (void)read;
}
