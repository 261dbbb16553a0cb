/* Loaded before the server's libraries: a machine whose time of day can be set, and whose disk is slow. What to do is
 * in a file that the test writes, two numbers of eight bytes: milliseconds that the time of day is ahead, and
 * microseconds that the disk needs for each sync. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct machine {
    int64_t ahead_ms, sync_us;
};

static const volatile struct machine *machine(void)
{
    static const struct machine usual;
    static const volatile struct machine *found;
    if (found != NULL)
        return found;
    const char *path = getenv("GRAL_SHIM_FILE");
    const int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = file >= 0 ? mmap(NULL, sizeof(struct machine), PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    found = mapped != MAP_FAILED ? mapped : &usual;
    return found;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && clock == CLOCK_REALTIME)
        time->tv_sec += machine()->ahead_ms / 1000;
    return status;
}

static void take_time(void)
{
    const int64_t micro = machine()->sync_us;
    const struct timespec pause = {micro / 1000000, micro % 1000000 * 1000};
    if (micro > 0)
        nanosleep(&pause, NULL);
}

int fsync(int file)
{
    take_time();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    take_time();
    return (int)syscall(SYS_fdatasync, file);
}
