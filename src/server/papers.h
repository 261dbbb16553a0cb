/* Pages to print (`make print`): the PDFs of a folder, read when the server starts, so that sending them never waits
 * for a disk. They are no part of the program, which they would make several times as large. */
#ifndef GRAL_SERVER_PAPERS_H
#define GRAL_SERVER_PAPERS_H

#include "server/client.h"

typedef struct papers papers;

papers *papers_open(const char *folder); /* what can be read there: it may be nothing */
void papers_close(papers *papers);

/* As "/print/gral-de-a4.pdf"; NULL where there is no such file. */
const client_file *papers_find(const papers *papers, const char *path);

#endif
