// A library for LD_PRELOAD that breaks a process off at any step that it takes towards its disk,
// or lets its disk be full from there on.
//
// A step is a write to, or a sync of, a file below a folder; the standard descriptors do not
// count. What stands in the environment:
//
//   DEX_FAULT_FOLDER  the folder, without symbolic links
//   DEX_FAULT_PEER    what is sent to a Unix socket below this folder is a step too: a server's
//   DEX_FAULT_STEP    the step at which it strikes, counted from 1
//   DEX_FAULT_KIND    kill: SIGKILL before the step
//                     tear: SIGKILL after half of it is written
//                     full: half of it is written; every later write fails (ENOSPC)
//                     unsynced: every sync from there on fails (EIO)
//   DEX_FAULT_LOG     a file that gets a line for each step
//
// It also sets the machine's clock, for the process alone:
//
//   DEX_FAULT_CLOCK   "=N": N seconds since 1970; "+N" or "-N": so many from the machine's time
//
// And it lets the memory be used up, as RLIMIT_DATA does:
//
//   DEX_FAULT_MEMORY  an allocation of so many bytes or more fails
//   DEX_FAULT_STATM   the file that the process reads in place of /proc/self/statm

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static atomic_long steps;

/// The path of an open file where it is below the folder; else nothing.
static const char *watched(int descriptor, char *path, size_t size)
{
    const char *folder = getenv("DEX_FAULT_FOLDER");
    if (!folder || descriptor <= STDERR_FILENO) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) return NULL;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0 ? path : NULL;
}

/// Counts a step, and writes it down.
static long next(const char *name, const char *path)
{
    long number = atomic_fetch_add(&steps, 1) + 1;
    const char *log = getenv("DEX_FAULT_LOG");
    if (log) {
        char line[5000];
        const char *file = strrchr(path, '/');
        int length = snprintf(line, sizeof line, "%s %s\n", name, file ? file + 1 : path);
        int descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor >= 0) {
            syscall(SYS_write, descriptor, line, (size_t)length);
            close(descriptor);
        }
    }
    return number;
}

static int is(const char *kind)
{
    const char *wanted = getenv("DEX_FAULT_KIND");
    return wanted && strcmp(wanted, kind) == 0;
}

static long wanted(void)
{
    const char *step = getenv("DEX_FAULT_STEP");
    return step ? strtol(step, NULL, 10) : 0;
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static ssize_t put(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return offset < 0 ? syscall(SYS_write, descriptor, bytes, count)
                      : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

/// What each writing function does; an offset below zero is where the file stands.
static ssize_t step(const char *name, int descriptor, const void *bytes, size_t count,
                    off_t offset)
{
    char path[4096];
    const char *file = watched(descriptor, path, sizeof path);
    if (!file) return put(descriptor, bytes, count, offset);
    long number = next(name, file);
    long strikes = wanted();
    if (strikes > 0 && number == strikes) {
        if (is("kill")) die();
        if (is("tear")) {
            put(descriptor, bytes, count / 2, offset);
            die();
        }
        if (is("full") && count > 1) return put(descriptor, bytes, count / 2, offset);
    }
    if (strikes > 0 && number >= strikes && is("full")) {
        errno = ENOSPC;
        return -1;
    }
    return put(descriptor, bytes, count, offset);
}

/// What each syncing function does.
static int sync_step(const char *name, int descriptor, long call)
{
    char path[4096];
    const char *file = watched(descriptor, path, sizeof path);
    if (file) {
        long number = next(name, file);
        long strikes = wanted();
        if (strikes > 0 && number == strikes && (is("kill") || is("tear"))) die();
        if (strikes > 0 && number >= strikes && is("unsynced")) {
            errno = EIO;
            return -1;
        }
    }
    return (int)syscall(call, descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    return step("write", descriptor, bytes, count, -1);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return step("write", descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    return step("write", descriptor, bytes, count, offset);
}

int fsync(int descriptor)
{
    return sync_step("sync", descriptor, SYS_fsync);
}

int fdatasync(int descriptor)
{
    return sync_step("sync", descriptor, SYS_fdatasync);
}

/// The path of the Unix socket at the other end where it is below the folder; else nothing.
static const char *watched_peer(int descriptor, struct sockaddr_un *peer)
{
    const char *folder = getenv("DEX_FAULT_PEER");
    if (!folder) return NULL;
    memset(peer, 0, sizeof *peer);
    // The last byte stays zero: a path may fill the field.
    socklen_t length = sizeof *peer - 1;
    if (getpeername(descriptor, (struct sockaddr *)peer, &length) != 0) return NULL;
    if (peer->sun_family != AF_UNIX) return NULL;
    return strncmp(peer->sun_path, folder, strlen(folder)) == 0 ? peer->sun_path : NULL;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags)
{
    struct sockaddr_un peer;
    const char *path = watched_peer(descriptor, &peer);
    if (path) {
        long number = next("send", path);
        if (number == wanted() && is("tear")) {
            syscall(SYS_sendto, descriptor, bytes, count / 2, flags, NULL, 0);
            die();
        }
        if (number == wanted() && is("kill")) die();
    }
    return syscall(SYS_sendto, descriptor, bytes, count, flags, NULL, 0);
}

/// The clock as DEX_FAULT_CLOCK has it; what counts the seconds since a start is as it is.
int clock_gettime(clockid_t clock, struct timespec *time)
{
    int answer = (int)syscall(SYS_clock_gettime, clock, time);
    const char *text = getenv("DEX_FAULT_CLOCK");
    if (answer != 0 || clock != CLOCK_REALTIME || !text) return answer;
    time_t from = *text == '=' ? 0 : time->tv_sec;
    time->tv_sec = from + strtoll(*text == '=' ? text + 1 : text, NULL, 10);
    return 0;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);

/// Whether an allocation is to fail. Looked up once: getenv is called before main, too.
static int is_too_large(size_t size)
{
    static atomic_long most = -1;
    long limit = atomic_load(&most);
    if (limit < 0) {
        const char *text = environ ? getenv("DEX_FAULT_MEMORY") : NULL;
        limit = text ? atol(text) : 0;
        if (environ) atomic_store(&most, limit);
    }
    if (limit == 0 || size < (size_t)limit) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return is_too_large(size) ? NULL : __libc_malloc(size);
}

void *realloc(void *block, size_t size)
{
    return is_too_large(size) ? NULL : __libc_realloc(block, size);
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    const char *statm = getenv("DEX_FAULT_STATM");
    if (statm && strcmp(path, "/proc/self/statm") == 0) path = statm;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
