#define _GNU_SOURCE

#include "CProcess.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

int dex_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

int dex_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np((posix_spawn_file_actions_t *)actions, first);
}
