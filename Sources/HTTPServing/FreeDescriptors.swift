import Glibc

/// What listeners leave of the process's table of open files.
///
/// Swift's runtime watches its threads through files of /proc and ends the process where none can
/// be opened; SQLite and the clients of nodes need some too. So connections never take the last.
struct FreeDescriptors: Sendable {
    /// Descriptors that connections leave to the rest of the process.
    static let reserve = 32

    /// The lowest number that is free; nil if none is.
    let lowest: @Sendable () -> Int?
    /// No descriptor has this number or a higher one; it may change while the process runs.
    let limit: @Sendable () -> Int

    /// Those of this process.
    static let ofProcess = FreeDescriptors(
        lowest: {
            let number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { return nil }
            close(number)
            return Int(number)
        },
        limit: {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                return .max
            }
            return Int(clamping: limit.rlim_cur)
        }
    )

    /// More than the reserve is free.
    ///
    /// Every number below the lowest free one is taken, so what is left lies between it and the
    /// limit.
    var allowConnection: Bool {
        guard let lowest = lowest() else { return false }
        return lowest < limit() - Self.reserve
    }
}
