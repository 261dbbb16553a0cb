/* Built without the browser client (the option `client`): everything but its pages is there. */
#include "server/client.h"

#include <stddef.h>

const client_file *client_find(const char *path)
{
    (void)path;
    return NULL;
}
