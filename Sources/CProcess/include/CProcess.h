#ifndef DEX_CPROCESS_H
#define DEX_CPROCESS_H

/// Forbids core dumps of this process, and reading its memory from other processes of the user.
///
/// prctl(2) is variadic, which Swift cannot call. Returns 0 on success.
int dex_process_forbid_inspection(void);

/// A pipe that no other child inherits. Returns 0, or -1 and sets errno.
int dex_pipe(int *reader, int *writer);

/// A child that is started with these actions (posix_spawn_file_actions_t) has no descriptors from
/// `first` on. Returns 0, else the error number.
int dex_spawn_close_from(void *actions, int first);

/// A time of a clock; nanoseconds are below 1,000,000,000.
struct dex_time {
    unsigned long long seconds;
    unsigned int nanoseconds;
};

/// The time of a clock of clock_gettime(2); 0 if there is no such clock or it is before 0.
///
/// In Swift, the Clang module of `struct timespec` depends on a file's other imports.
struct dex_time dex_clock(int clock);

/// The same in milliseconds; later times are capped at the last second that fits.
unsigned long long dex_clock_milliseconds(int clock);

/// Bounds the memory that this process may write to (RLIMIT_DATA), unless a lower limit holds.
///
/// If it later dies for lack of memory, it first writes `error` to standard error and `result` to
/// standard output, and it ends with `status`. Both texts must stay valid and in place.
void dex_memory_limit(unsigned long bytes, const char *error, const char *result, int status);

/// The memory that this process may write to, in bytes, as RLIMIT_DATA counts it; 0 if the system
/// does not report it.
unsigned long dex_memory_used(void);

/// Lifts the limit of `dex_memory_limit` for a program that is started now, or (0) sets it again.
void dex_memory_limit_lift(int is_lifted);

/// Makes malloc return memory that was used for a while, for a process that runs for long: two
/// arenas, and blocks from 256 KiB on are mapped and unmapped by themselves.
///
/// Before the first other thread starts.
void dex_memory_serve(void);

/// The same for a server whose threads free what others have allocated: each keeps more of it for
/// itself. glibc asks for that at the start of a program alone, so this starts the program again,
/// as the same process; it returns in the second, and where there can be none.
///
/// Before anything is read or opened. Whoever has set GLIBC_TUNABLES has chosen otherwise.
void dex_memory_serve_many(char *const *arguments);

/// Returns free memory to the system.
void dex_memory_trim(void);

/// A non-blocking Unix socket of mode 0600 that listens at a path of any length.
///
/// Below 0 it is the negated error number.
int dex_socket_listen(const char *path, int backlog);

/// A connection to such a socket, on which each operation has a time limit in seconds.
///
/// Below 0 it is the negated error number.
int dex_socket_connect(const char *path, int seconds);

/// The next connection, non-blocking; below 0 the negated error number.
int dex_socket_accept(int listener);

/// The peer's process and user, as of its connect or listen call; below 0 the negated error number.
int dex_socket_peer(int descriptor, int *process, unsigned int *user);

/// Sends as many bytes as there is room for, without SIGPIPE; below 0 the negated error number.
long dex_socket_send(int descriptor, const void *bytes, unsigned long count);

/// Hides what is typed at the terminal, and discards typed input that is not read.
///
/// Whenever this process ends or stops, except by SIGKILL, the terminal is restored; when
/// continued, it hides typed input again. Returns 0, else the negated error number.
int dex_terminal_hide(void);

/// Takes the whole terminal: the alternate screen without a cursor, typed keys one by one and not
/// shown.
///
/// Whenever this process ends or stops, except by SIGKILL, the terminal is restored. When continued,
/// it takes the terminal again and sends itself SIGWINCH. Returns 0, else the negated error number.
int dex_terminal_full_screen(void);

/// Takes the alternate screen for a secret and hides typed input, in lines; earlier input is
/// discarded.
///
/// Whenever this process ends or stops, except by SIGKILL, the terminal is restored, and the
/// secret is gone from it. Returns 0, else the negated error number.
int dex_terminal_secret_screen(void);

/// Takes the whole terminal as above, with every key read as it is (Ctrl-C and Ctrl-Z too), pastes
/// marked, and lines that do not wrap. With `mouse` not 0 the terminal also reports clicks and the
/// wheel (modes 1000 and 1006), until it is given back. Returns 0, else the negated error number.
int dex_terminal_live_screen(int mouse);

/// Starts a child by `spawn`, which returns its process id, waits for its end, and gives the
/// terminal back that it took, however it ends or stops; signals are passed on to it.
///
/// Returns the status of waitpid(2), or -1 if the descriptor is no terminal or nothing started.
int dex_terminal_guard(int descriptor, int (*spawn)(void *), void *context);

/// From now on the process gets SIGTERM when its parent dies. Returns 0, or -1 if `parent` is not
/// its parent.
int dex_die_with(int parent);

/// Shows what is typed again after the functions above, and discards typed input that is not read.
void dex_terminal_show(void);

/// The rights to a path and to everything below it.
enum {
    /// Read files, list folders.
    DEX_PATH_READ = 1,
    /// Read, append to and truncate an existing file.
    DEX_PATH_WRITE = 2,
    /// Create and remove sockets in a folder.
    DEX_PATH_SOCKETS = 4,
};

struct dex_path_right {
    const char *path;
    int rights;
};

/// From now on the calling thread, and threads that it starts, can open only these paths.
///
/// Missing paths are left out. TCP and signals to other processes are forbidden too if the kernel
/// supports it (landlock(7)). Returns 0, else the negated error number: -ENOSYS or -EOPNOTSUPP if
/// the kernel has no landlock.
int dex_confine_files(const struct dex_path_right *paths, unsigned long count);

/// From now on the calling thread, or the whole process, can make only the system calls of a list:
/// memory, threads, clocks, opened files, the socket that it listens on (seccomp(2)).
///
/// Others fail with EPERM: it cannot start a program or process, make a connection, inspect another
/// process, or change a folder. Calls of kernels after Linux 6.12 fail with ENOSYS.
///
/// Returns 0, else the negated error number.
int dex_confine_calls(int all_threads);

enum {
    DEX_CONFINED_PRIVILEGES = 1,
    DEX_CONFINED_CALLS = 2,
    DEX_CONFINED_FILES = 4,
};

/// The restrictions above that are in force.
int dex_confinement(void);

#endif
