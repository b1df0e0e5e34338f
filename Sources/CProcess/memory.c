#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct rlimit before;
static struct rlimit ours;
static int is_limited;
static const char *last_error;
static const char *last_result;
static int last_status;

// How a process ends after a failed allocation: a trap of the Swift runtime, abort, or a null
// pointer.
static const int deaths[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};

static void write_all(int descriptor, const char *text) {
    unsigned long left = strlen(text);
    while (left > 0) {
        const long count = write(descriptor, text, left);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text += count;
        left -= (unsigned long)count;
    }
}

// Only async-signal-safe calls. The action is the default one again (SA_RESETHAND).
static void on_death(int number) {
    // malloc sets this, and nothing between it and the trap makes a system call.
    if (errno == ENOMEM) {
        write_all(STDERR_FILENO, last_error);
        write_all(STDOUT_FILENO, last_result);
        _exit(last_status);
    }
    raise(number);
}

void dex_memory_limit(unsigned long bytes, const char *error, const char *result, int status) {
    if (getrlimit(RLIMIT_DATA, &before) != 0) return;
    ours = before;
    if (ours.rlim_cur == RLIM_INFINITY || ours.rlim_cur > bytes) ours.rlim_cur = bytes;
    if (setrlimit(RLIMIT_DATA, &ours) != 0) return;
    is_limited = 1;
    last_error = error;
    last_result = result;
    last_status = status;
    for (unsigned long i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        struct sigaction action = {.sa_handler = on_death, .sa_flags = SA_RESETHAND | SA_NODEFER};
        sigemptyset(&action.sa_mask);
        sigaction(deaths[i], &action, NULL);
    }
}

void dex_memory_limit_lift(int is_lifted) {
    if (is_limited) setrlimit(RLIMIT_DATA, is_lifted ? &before : &ours);
}

unsigned long dex_memory_used(void) {
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[256];
    const long count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // size, resident, shared, text, library, data: in pages.
    char *place = text;
    unsigned long pages = 0;
    for (int i = 0; i < 6; i++) pages = strtoul(place, &place, 10);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

void dex_memory_serve(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
}

// The blocks of each size that a thread keeps; glibc keeps 7.
static const char tunables[] = "GLIBC_TUNABLES";
static const char kept[] = "glibc.malloc.tcache_count=256";

void dex_memory_serve_many(char *const *arguments) {
    dex_memory_serve();
    const char *chosen = getenv(tunables);
    if (chosen) {
        // The second time: what this process starts is not concerned.
        if (strcmp(chosen, kept) == 0) unsetenv(tunables);
        return;
    }
    char program[4096];
    const long length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return;
    program[length] = 0;
    if (setenv(tunables, kept, 1) != 0) return;
    // A program that was replaced meanwhile cannot be started again: it goes on as it is.
    execv(program, arguments);
    unsetenv(tunables);
}

void dex_memory_trim(void) {
    malloc_trim(0);
}
