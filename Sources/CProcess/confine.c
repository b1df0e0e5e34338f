#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int files_confined;

static int forbid_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -errno;
}

// MARK: Files, by landlock(7)

// From linux/landlock.h of Linux 6.12: headers are often older than the kernel.
enum {
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_SOCK = 1 << 9,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
    NET_BIND_AND_CONNECT_TCP = 3,
    SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3,
};

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scoped;
};

struct rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static int allow(int rules, const struct dex_path_right *path, uint64_t known) {
    int descriptor = open(path->path, O_PATH | O_CLOEXEC);
    // A missing path cannot be allowed, and cannot be opened.
    if (descriptor < 0) return errno == ENOENT ? 0 : -errno;
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        int code = -errno;
        close(descriptor);
        return code;
    }
    const int is_folder = S_ISDIR(status.st_mode);
    uint64_t allowed = 0;
    if (path->rights & DEX_PATH_READ) allowed |= FS_READ_FILE | (is_folder ? FS_READ_DIR : 0);
    if (path->rights & DEX_PATH_WRITE) allowed |= FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE;
    if (path->rights & DEX_PATH_SOCKETS) allowed |= FS_READ_DIR | FS_MAKE_SOCK | FS_REMOVE_FILE;
    const struct rule rule = {.allowed = allowed & known, .parent = descriptor};
    int added = (int)syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    int code = added == 0 ? 0 : -errno;
    close(descriptor);
    return code;
}

int dex_confine_files(const struct dex_path_right *paths, unsigned long count) {
    const int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version < 1) return version < 0 ? -errno : -EOPNOTSUPP;
    uint64_t known = (1 << 13) - 1;
    if (version >= 2) known |= FS_REFER;
    if (version >= 3) known |= FS_TRUNCATE;
    if (version >= 5) known |= FS_IOCTL_DEV;
    // Programs are run where no seccomp filter forbids it: they are mapped by the kernel.
    const struct ruleset all = {
        .files = known,
        .network = version >= 4 ? NET_BIND_AND_CONNECT_TCP : 0,
        .scoped = version >= 6 ? SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS : 0,
    };
    const size_t size = version >= 6   ? sizeof all
                        : version >= 4 ? offsetof(struct ruleset, scoped)
                                       : offsetof(struct ruleset, network);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0) return -errno;
    int code = 0;
    for (unsigned long i = 0; i < count && code == 0; i++) code = allow(rules, &paths[i], known);
    if (code == 0) code = forbid_privileges();
    if (code == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) code = -errno;
    close(rules);
    if (code == 0) atomic_store(&files_confined, 1);
    return code;
}

// MARK: System calls, by seccomp(2)

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// What an agent calls: memory, its threads, clocks, its files and the socket that it listens on. Calls
// whose arguments decide are below.
static const int allowed[] = {
    // Memory.
    SYS_brk, SYS_madvise, SYS_mlock, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munlock, SYS_munmap,
    // Threads and signals of its own.
    SYS_exit, SYS_exit_group, SYS_futex, SYS_get_robust_list, SYS_getpid, SYS_getppid, SYS_gettid,
    SYS_membarrier, SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sched_get_priority_max,
    SYS_sched_get_priority_min, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_setscheduler, SYS_sched_yield, SYS_set_robust_list, SYS_set_tid_address,
    SYS_sigaltstack, SYS_signalfd4, SYS_tgkill,
    // What the process is.
    SYS_getcpu, SYS_getcwd, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups, SYS_getpriority,
    SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_getuid, SYS_prctl, SYS_prlimit64, SYS_sysinfo,
    SYS_umask, SYS_uname,
    // Clocks and randomness.
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_getrandom, SYS_gettimeofday,
    SYS_nanosleep, SYS_timerfd_create, SYS_timerfd_gettime, SYS_timerfd_settime,
    // Files: landlock says which.
    SYS_close, SYS_dup, SYS_dup3, SYS_faccessat, SYS_fcntl, SYS_fdatasync, SYS_fchmod, SYS_flock,
    SYS_fstat, SYS_fstatfs, SYS_fsync, SYS_ftruncate, SYS_getdents64, SYS_lseek, SYS_newfstatat,
    SYS_openat, SYS_pread64, SYS_pwrite64, SYS_read, SYS_readlinkat, SYS_readv, SYS_statfs,
    SYS_unlinkat, SYS_write, SYS_writev,
    // Its socket, and waiting for it.
    SYS_accept, SYS_accept4, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2,
    SYS_getpeername, SYS_getsockname, SYS_getsockopt, SYS_pipe2, SYS_ppoll, SYS_pselect6,
    SYS_recvfrom, SYS_recvmsg, SYS_sendmsg, SYS_sendto, SYS_setsockopt, SYS_shutdown,
#ifdef SYS_close_range
    SYS_close_range,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_open
    // Older forms of the same, which x86-64 still has.
    SYS_access, SYS_arch_prctl, SYS_dup2, SYS_epoll_wait, SYS_lstat, SYS_open, SYS_pipe, SYS_poll,
    SYS_readlink, SYS_select, SYS_stat, SYS_time, SYS_unlink,
#endif
};
enum { ALLOWED = sizeof allowed / sizeof allowed[0] };

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

// The calls of Linux 6.12 end before it.
enum { FIRST_UNKNOWN = 463 };

#define LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define FAIL(code) RETURN(SECCOMP_RET_ERRNO | (code))

int dex_confine_calls(int all_threads) {
#ifndef ARCHITECTURE
    (void)all_threads;
    return -EOPNOTSUPP;
#else
    // A call of the x32 ABI has an extra bit in its number, so none of these matches it.
    struct sock_filter head[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        FAIL(EPERM),
        // Its flags are in memory, which a filter cannot see: the caller then tries clone(2).
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        FAIL(ENOSYS),
        // Threads, but no processes.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        FAIL(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
        // How much a socket has to read; nothing of a terminal's.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONREAD, 1, 0),
        FAIL(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
    };
    enum { HEAD = sizeof head / sizeof head[0] };
    struct sock_filter program[HEAD + 2 * ALLOWED + 3];
    unsigned short length = 0;
    while (length < HEAD) {
        program[length] = head[length];
        length++;
    }
    for (int i = 0; i < ALLOWED; i++) {
        const struct sock_filter permission[] = {
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1),
            RETURN(SECCOMP_RET_ALLOW),
        };
        program[length++] = permission[0];
        program[length++] = permission[1];
    }
    // Calls that are newer than this list are as on a kernel without them: libraries then use others.
    const struct sock_filter rest[] = {
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN, 0, 1),
        FAIL(ENOSYS),
        FAIL(EPERM),
    };
    for (int i = 0; i < 3; i++) program[length++] = rest[i];
    const struct sock_fprog filter = {.len = length, .filter = program};
    int code = forbid_privileges();
    if (code != 0) return code;
    const unsigned flags = all_threads ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    long outcome = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    // Above 0 it is a thread that could not be synchronised.
    return outcome == 0 ? 0 : outcome < 0 ? -errno : -ESRCH;
#endif
}

int dex_confinement(void) {
    int bits = 0;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) bits |= DEX_CONFINED_PRIVILEGES;
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2) bits |= DEX_CONFINED_CALLS;
    if (atomic_load(&files_confined)) bits |= DEX_CONFINED_FILES;
    return bits;
}
