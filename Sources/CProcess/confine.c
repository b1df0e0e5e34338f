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

// Programs, connections, other processes, other kernel interfaces: an agent needs none of them.
static const int forbidden[] = {
    SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_perf_event_open,
    SYS_bpf, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_mount,
    SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_keyctl, SYS_add_key,
    SYS_request_key, SYS_open_by_handle_at, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_memfd_create,
    SYS_personality, SYS_syslog, SYS_quotactl, SYS_acct,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
#ifdef SYS_userfaultfd
    SYS_userfaultfd,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_move_mount
    SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
#endif
};
enum { FORBIDDEN = sizeof forbidden / sizeof forbidden[0] };

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

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
    };
    enum { HEAD = sizeof head / sizeof head[0] };
    struct sock_filter program[HEAD + 2 * FORBIDDEN + 1];
    unsigned short length = 0;
    while (length < HEAD) {
        program[length] = head[length];
        length++;
    }
    for (int i = 0; i < FORBIDDEN; i++) {
        const struct sock_filter refusal[] = {
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)forbidden[i], 0, 1),
            FAIL(EPERM),
        };
        program[length++] = refusal[0];
        program[length++] = refusal[1];
    }
    const struct sock_filter rest = RETURN(SECCOMP_RET_ALLOW);
    program[length++] = rest;
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
