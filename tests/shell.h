/* The real program, run by a shell as a user would. */
#ifndef GRAL_TESTS_SHELL_H
#define GRAL_TESTS_SHELL_H

/* What the last script printed. */
extern char output[1 << 20];

/* Runs a script in which "gral" is the program and $data the folder of test data; returns its exit status. */
int shell(const char *script);

/* Fails unless the output has these words. */
void expect_in_output(const char *words);

#endif
