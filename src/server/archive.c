#include "server/archive.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 512 };

typedef struct head {
    char name[100], mode[8], user[8], group[8], size[12], time[12], sum[8], type, link[100], magic[6], version[2];
    char user_name[32], group_name[32], major[8], minor[8], prefix[155], rest[12];
} head;
static_assert(sizeof(head) == BLOCK, "a head is one block");

static void put_octal(char *field, size_t size, uint64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%0*llo", (int)size - 1, (unsigned long long)number);
    memcpy(field, digits, size);
}

/* The sum of all bytes, its own field counted as blanks. */
static void put_sum(head *head)
{
    unsigned sum = 0;
    memset(head->sum, ' ', sizeof head->sum);
    for (size_t at = 0; at < sizeof *head; at++)
        sum += ((const unsigned char *)head)[at];
    put_octal(head->sum, sizeof head->sum - 1, sum);
}

static bool write_all(FILE *file, const void *bytes, size_t length)
{
    return length == 0 || fwrite(bytes, length, 1, file) == 1;
}

static const char zeros[2 * BLOCK];

bool archive_add(FILE *file, const char *name, gral_span content, int64_t time)
{
    head head = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    assert(strlen(name) < sizeof head.name);
    memcpy(head.name, name, strlen(name));
    put_octal(head.mode, sizeof head.mode, 0600);
    put_octal(head.user, sizeof head.user, 0);
    put_octal(head.group, sizeof head.group, 0);
    put_octal(head.size, sizeof head.size, content.length);
    put_octal(head.time, sizeof head.time, time > 0 ? (uint64_t)time : 0);
    put_sum(&head);
    return write_all(file, &head, sizeof head) && write_all(file, content.bytes, content.length) &&
           write_all(file, zeros, (BLOCK - content.length % BLOCK) % BLOCK);
}

bool archive_end(FILE *file)
{
    return write_all(file, zeros, sizeof zeros) && fflush(file) == 0;
}
