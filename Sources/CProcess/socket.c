#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// A socket's name in an open folder: an address has 107 bytes, and paths are often longer.
// Returns the folder's descriptor, to be closed after the address is used.
static int address_of(const char *path, struct sockaddr_un *address) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) return -EINVAL;
    size_t length = (size_t)(slash - path);
    if (length >= sizeof folder) return -ENAMETOOLONG;
    memcpy(folder, path, length);
    folder[length] = 0;
    int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int written = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d%s",
                           descriptor, slash);
    if (written < 0 || (size_t)written >= sizeof address->sun_path) {
        close(descriptor);
        return -ENAMETOOLONG;
    }
    return descriptor;
}

static int fail(int descriptor) {
    int code = -errno;
    close(descriptor);
    return code;
}

int dex_socket_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    int folder = address_of(path, &address);
    if (folder < 0) return folder;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return fail(folder);
    // The file gets the descriptor's mode. A umask applies to the whole process: folders that other
    // threads make at that moment could not be entered.
    int bound = fchmod(descriptor, 0600);
    if (bound == 0) bound = bind(descriptor, (const struct sockaddr *)&address, sizeof address);
    int code = errno;
    close(folder);
    errno = code;
    if (bound != 0 || listen(descriptor, backlog) != 0) return fail(descriptor);
    return descriptor;
}

int dex_socket_connect(const char *path, int seconds) {
    struct sockaddr_un address;
    int folder = address_of(path, &address);
    if (folder < 0) return folder;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return fail(folder);
    const struct timeval patience = {.tv_sec = seconds, .tv_usec = 0};
    const socklen_t size = sizeof patience;
    int refused = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size) != 0 ||
                  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size) != 0 ||
                  connect(descriptor, (const struct sockaddr *)&address, sizeof address) != 0;
    int code = errno;
    close(folder);
    errno = code;
    return refused ? fail(descriptor) : descriptor;
}

int dex_socket_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int dex_socket_peer(int descriptor, int *process, unsigned int *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -errno;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

long dex_socket_send(int descriptor, const void *bytes, unsigned long count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    return sent < 0 ? -errno : sent;
}
