import DexCore
import Glibc

/// The process's table of open files, before anything else is opened.
enum Descriptors {
    /// Free descriptors that suffice for any command.
    ///
    /// They are connections to nodes and relays, the journal, locks, a signer's pipes, signals.
    static let needed = 64

    /// Opens /dev/null for each of stdin, stdout and stderr that is closed.
    ///
    /// Otherwise the next opened file, such as the journal, would get its number, and results and
    /// errors would be written into it.
    static func reserveStandard() {
        // A range: the first array of a process makes the runtime search the whole program for its
        // elements' conformances.
        for descriptor in STDIN_FILENO...STDERR_FILENO
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one.
            guard open("/dev/null", O_RDWR) == descriptor else {
                _exit(ExitCode.configuration.rawValue)
            }
        }
    }

    /// The error of too few descriptors; nil if there are enough, if need be after raising the
    /// limit.
    ///
    /// Libraries end the process silently if the table is full.
    static func shortage() -> DexError? {
        let free = free()
        guard free < needed else { return nil }
        return DexError(ProcessError.tooFewDescriptors(free: free, needed: needed))
    }

    /// Raises the limit for a server, in which each connection is an open file.
    ///
    /// No further than 65,536: a child closes every number below the limit as it starts.
    static func allowServing() {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, 65_536)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        // A raise up to the hard limit is always allowed; a relay says how many connections fit.
        setrlimit(files, &limit)
    }

    /// The number of files that may be open at once.
    static func limit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .max
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of free descriptors, at most `needed` above the open ones.
    private static func free() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return needed
        }
        let wanted = rlim_t(4 * needed)
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        // poll(2) marks unopened numbers; more are not needed.
        let count = Int(min(limit.rlim_cur, wanted))
        var numbers = (0..<count).map { pollfd(fd: Int32($0), events: 0, revents: 0) }
        guard poll(&numbers, nfds_t(count), 0) >= 0 else { return 0 }
        return numbers.count { Int32($0.revents) & POLLNVAL != 0 }
    }
}
