/* A trained net in the whole numbers that the player uses (src/players/learned.h). */
#ifndef GRAL_LEARN_EXPORT_H
#define GRAL_LEARN_EXPORT_H

#include "net.h"

/* `bytes` has room for learned_size(). False if weights are too large to be rounded well. */
bool export_net(const net *weights, void *bytes);

/* The other way round, as exactly as it was written; false if these are no net of this shape. */
bool import_net(net *weights, const void *bytes, size_t size);

#endif
