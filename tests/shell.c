#include "shell.h"

#include "scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

char output[1 << 20];

int shell(const char *script)
{
    static char line[20000];
    const int length = snprintf(line, sizeof line, "gral() { \"$GRAL\" \"$@\"; }; data=\"$GRAL_TEST_DATA\"; %s",
                                script);
    assert_true((size_t)length < sizeof line);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void expect_in_output(const char *words)
{
    if (strstr(output, words) == NULL)
        fail_msg("no '%s' in\n%s", words, output);
}
