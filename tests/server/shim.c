/* Loaded before the server's libraries: a machine whose time of day can be set, whose disk is slow, and where threads
 * that stand back for others are slow. What to do is in a file that the test writes, four numbers of eight bytes:
 * milliseconds that the time of day is ahead, microseconds that the disk needs for each sync, microseconds that such a
 * thread loses each time it looks at the clock, as it does at the beginning and the end of a thought, and milliseconds
 * that have gone by on all clocks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct machine {
    int64_t ahead_ms, sync_us, thought_us, later_ms;
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

static void take_time(int64_t micro)
{
    const struct timespec pause = {micro / 1000000, micro % 1000000 * 1000};
    if (micro > 0)
        nanosleep(&pause, NULL);
}

static _Thread_local bool stands_back;

int setpriority(__priority_which_t which, id_t who, int nice)
{
    stands_back = nice > 0;
    return (int)syscall(SYS_setpriority, which, who, nice);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (stands_back)
        take_time(machine()->thought_us);
    const int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (status == 0)
        time->tv_sec += machine()->later_ms / 1000;
    if (status == 0 && clock == CLOCK_REALTIME)
        time->tv_sec += machine()->ahead_ms / 1000;
    return status;
}

int fsync(int file)
{
    take_time(machine()->sync_us);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    take_time(machine()->sync_us);
    return (int)syscall(SYS_fdatasync, file);
}
