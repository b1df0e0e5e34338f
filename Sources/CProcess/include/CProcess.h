#ifndef DEX_CPROCESS_H
#define DEX_CPROCESS_H

/// Forbids the system to dump this process's memory and other processes of its user to read it.
///
/// prctl(2) is variadic, which Swift cannot call. Returns 0 where that is done.
int dex_process_forbid_inspection(void);

/// A Unix socket of mode 0600 that listens at a path of any length and never blocks; below 0 the
/// error number, negated.
int dex_socket_listen(const char *path, int backlog);

/// A connection to such a socket, on which nothing takes longer than so many seconds; below 0 the
/// error number, negated.
int dex_socket_connect(const char *path, int seconds);

/// The next connection, which never blocks; below 0 the error number, negated.
int dex_socket_accept(int listener);

/// The process and user at the other end, as they were when it connected or began to listen; below
/// 0 the error number, negated.
int dex_socket_peer(int descriptor, int *process, unsigned int *user);

/// Sends as many bytes as there is room for, without SIGPIPE; below 0 the error number, negated.
long dex_socket_send(int descriptor, const void *bytes, unsigned long count);

/// Stops the terminal from showing what is typed, and throws away what was typed and not read.
///
/// However this process ends or stops, SIGKILL apart, the terminal is as it was before; continued,
/// it hides again what is typed. Returns 0, else the error number, negated.
int dex_terminal_hide(void);

/// Lets the terminal show again what is typed, where `dex_terminal_hide` was called, and throws
/// away what was typed meanwhile and not read.
void dex_terminal_show(void);

#endif
