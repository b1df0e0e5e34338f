#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    return 0;
}

static int fail(int descriptor) {
    int code = -errno;
    close(descriptor);
    return code;
}

int dex_socket_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    int code = address_of(path, &address);
    if (code < 0) return code;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    mode_t mask = umask(0177);
    int bound = bind(descriptor, (const struct sockaddr *)&address, sizeof address);
    code = errno;
    umask(mask);
    errno = code;
    if (bound != 0 || listen(descriptor, backlog) != 0) return fail(descriptor);
    return descriptor;
}

int dex_socket_connect(const char *path, int seconds) {
    struct sockaddr_un address;
    int code = address_of(path, &address);
    if (code < 0) return code;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    const struct timeval patience = {.tv_sec = seconds, .tv_usec = 0};
    const socklen_t size = sizeof patience;
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size) != 0 ||
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size) != 0 ||
        connect(descriptor, (const struct sockaddr *)&address, sizeof address) != 0)
        return fail(descriptor);
    return descriptor;
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
