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
        return ProcessError.tooFewDescriptors(free: free, needed: needed)
    }

    /// Raises the limit for a server, in which each connection is an open file.
    ///
    /// No further than 65,536: a child closes every number below the limit as it starts.
    static func allowServing() {
        // A relay says how many connections fit.
        _ = limit(raisedTo: 65_536)
    }

    /// The number of files that may be open at once.
    static func limit() -> Int {
        limit(raisedTo: 0).map { Int(clamping: $0) } ?? .max
    }

    /// The limit of open files, raised as far as the system allows it if it is lower than wanted;
    /// nil if the system does not tell it.
    private static func limit(raisedTo wanted: rlim_t) -> rlim_t? {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return nil }
        var raised = limit
        raised.rlim_cur = min(wanted, limit.rlim_max)
        guard limit.rlim_cur < raised.rlim_cur, setrlimit(files, &raised) == 0 else {
            return limit.rlim_cur
        }
        return raised.rlim_cur
    }

    /// The number of free descriptors, at most `needed` above the open ones.
    private static func free() -> Int {
        let wanted = rlim_t(4 * needed)
        guard let limit = limit(raisedTo: wanted) else { return needed }
        // poll(2) marks unopened numbers; more are not needed.
        let count = Int(min(limit, wanted))
        var numbers = (0..<count).map { pollfd(fd: Int32($0), events: 0, revents: 0) }
        guard poll(&numbers, nfds_t(count), 0) >= 0 else { return 0 }
        return numbers.count { Int32($0.revents) & POLLNVAL != 0 }
    }
}
