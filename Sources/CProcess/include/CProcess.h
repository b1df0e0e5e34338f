#ifndef DEX_CPROCESS_H
#define DEX_CPROCESS_H

/// Forbids the system to dump this process's memory and other processes of its user to read it.
///
/// prctl(2) is variadic, which Swift cannot call. Returns 0 where that is done.
int dex_process_forbid_inspection(void);

/// A time of a clock; nanoseconds are below 1,000,000,000.
struct dex_time {
    unsigned long long seconds;
    unsigned int nanoseconds;
};

/// The time of a clock of clock_gettime(2); 0 where there is no such clock, or it stands before 0.
///
/// Which Clang module `struct timespec` belongs to depends, for Swift, on what else a file imports.
struct dex_time dex_clock(int clock);

/// The same in milliseconds; what is beyond them stands at their last second.
unsigned long long dex_clock_milliseconds(int clock);

/// Bounds the memory that this process may write to (RLIMIT_DATA), where no lower limit holds already.
///
/// Where it dies for want of memory from then on, it first writes `error` to standard error and
/// `result` to standard output, and it ends with `status`. Both texts have to stay where they are.
void dex_memory_limit(unsigned long bytes, const char *error, const char *result, int status);

/// The memory that this process may write to, in bytes, as RLIMIT_DATA counts it; 0 where the
/// system does not tell.
unsigned long dex_memory_used(void);

/// Takes the limit of `dex_memory_limit` away, for what is started now, or (0) sets it again.
void dex_memory_limit_lift(int is_lifted);

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

/// What may be done with a path, and with what is beneath it.
enum {
    /// Files are read, folders listed.
    DEX_PATH_READ = 1,
    /// A file that is there is read, appended to and cut.
    DEX_PATH_WRITE = 2,
    /// Sockets are made, and taken away, in a folder.
    DEX_PATH_SOCKETS = 4,
};

struct dex_path_right {
    const char *path;
    int rights;
};

/// From now on the calling thread, and those that it starts, open nothing but these paths.
///
/// Those that are not there are left out. TCP and signals to others are forbidden too where the
/// kernel can (landlock(7)). Returns 0, else the error number, negated: -ENOSYS or -EOPNOTSUPP
/// where the kernel has no landlock.
int dex_confine_files(const struct dex_path_right *paths, unsigned long count);

/// From now on the calling thread, or the whole process, starts no program and no process, makes no
/// connection, and looks into no other process: such calls fail with EPERM (seccomp(2)).
///
/// Returns 0, else the error number, negated.
int dex_confine_calls(int all_threads);

enum {
    DEX_CONFINED_PRIVILEGES = 1,
    DEX_CONFINED_CALLS = 2,
    DEX_CONFINED_FILES = 4,
};

/// What of the above is in force.
int dex_confinement(void);

#endif
