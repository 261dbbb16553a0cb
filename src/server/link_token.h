/* What stands in the links of letters: it says which row is meant, and that it was this server that wrote it. Pure. */
#ifndef GRAL_SERVER_LINK_TOKEN_H
#define GRAL_SERVER_LINK_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

enum link_purpose { LINK_STOP, LINK_CONFIRM, LINK_RECOVER };
enum { LINK_TOKEN_TEXT = 40, LINK_KEY_BYTES = 32 };

void link_token_make(const uint8_t *key, enum link_purpose purpose, uint64_t id, uint32_t number,
                     char text[LINK_TOKEN_TEXT]);
bool link_token_read(const uint8_t *key, enum link_purpose purpose, const char *text, uint64_t *id, uint32_t *number);

#endif
