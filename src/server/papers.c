#include "server/papers.h"

#include "server/log.h"
#include "server/memory.h"

#include <glob.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ETAG_BYTES = 16 };

typedef struct paper {
    client_file file;
    char path[256];
    char etag[2 * ETAG_BYTES + 3]; /* hexadecimal, in quotes */
} paper;

struct papers {
    size_t count;
    paper *list;
};

/* All of a file; nothing where it cannot be read. */
static gral_span read_whole(const char *name)
{
    FILE *file = fopen(name, "rbe");
    struct stat about;
    gral_span content = {0};
    if (file == NULL)
        return content;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        char *bytes = memory_get((size_t)about.st_size);
        if (fread(bytes, 1, (size_t)about.st_size, file) == (size_t)about.st_size)
            content = (gral_span){bytes, (size_t)about.st_size};
        else
            free(bytes);
    }
    fclose(file);
    return content;
}

/* False: it is not to be had. */
static bool take_in(paper *paper, const char *name)
{
    const char *slash = strrchr(name, '/');
    const int length = snprintf(paper->path, sizeof paper->path, "/print/%s", slash != NULL ? slash + 1 : name);
    const gral_span content = read_whole(name);
    if (content.length == 0 || length >= (int)sizeof paper->path) {
        free((char *)content.bytes);
        return false;
    }
    unsigned char hash[ETAG_BYTES];
    char words[2 * ETAG_BYTES + 1];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)content.bytes, content.length, NULL, 0);
    snprintf(paper->etag, sizeof paper->etag, "\"%s\"", sodium_bin2hex(words, sizeof words, hash, sizeof hash));
    paper->file = (client_file){
        .path = paper->path, .type = "application/pdf", .etag = paper->etag, .for_ever = false, .plain = content};
    return true;
}

papers *papers_open(const char *folder)
{
    papers *papers = memory_get(sizeof *papers);
    char pattern[4096];
    glob_t found;
    if (snprintf(pattern, sizeof pattern, "%s/*.pdf", folder) >= (int)sizeof pattern ||
        glob(pattern, 0, NULL, &found) != 0)
        return papers;
    papers->list = memory_get(found.gl_pathc * sizeof *papers->list);
    for (size_t index = 0; index < found.gl_pathc; index++)
        papers->count += take_in(&papers->list[papers->count], found.gl_pathv[index]);
    globfree(&found);
    log_line(LOG_INFO, "print", "files=%zu", papers->count);
    return papers;
}

void papers_close(papers *papers)
{
    for (size_t index = 0; index < papers->count; index++)
        free((char *)papers->list[index].file.plain.bytes);
    free(papers->list);
    free(papers);
}

const client_file *papers_find(const papers *papers, const char *path)
{
    for (size_t index = 0; index < papers->count; index++)
        if (strcmp(papers->list[index].path, path) == 0)
            return &papers->list[index].file;
    return NULL;
}
