/// The reason why a chain cannot be opened, stored or served.
package enum SandboxError: ForkFailure, Hashable, Sendable, CustomStringConvertible {
    case notAChain(path: String, reason: String)
    /// - isCopy: it is the copy of another machine's.
    case otherGenesis(path: String, isCopy: Bool)
    case newerFormat(path: String, version: Int)
    /// - isCopy: it is the copy of another machine's.
    case olderFormat(path: String, isCopy: Bool)
    case storage(path: String, reason: String)
    case badGenesis(String)
    case badReorganization(String)
    case badSwapSetting(String)
    case badTokenSetting(String)
    /// What a fork needs of its live chain is not there.
    case fork(ForkError)
    case badFunding(String)

    package var description: String {
        switch self {
        case .notAChain(let path, let reason):
            "The file \(path) is not a sandbox chain (\(reason)); move it away, or run "
                + "`dex sandbox reset` to begin a new one."
        case .otherGenesis(let path, let isCopy):
            "The chain in \(path) was begun from another genesis, as by another version of dex; run "
                + "`dex sandbox reset\(isCopy ? " --copy" : "")` to begin a new one."
        case .newerFormat(let path, let version):
            "The chain in \(path) was written by a newer dex (format \(version)); use that one, "
                + "or run `dex sandbox reset` to begin a new chain."
        case .olderFormat(let path, let isCopy):
            "The chain in \(path) was written by an older dex, which simulated its contracts, and "
                + "cannot go on; run `dex sandbox reset\(isCopy ? " --copy" : "")` to begin a new "
                + "one."
        case .storage(let path, let reason):
            "The chain in \(path) cannot be read or written: \(reason)."
        case .badGenesis(let reason):
            "The chain cannot begin like this: \(reason)."
        case .badReorganization(let reason):
            "The chain cannot be reorganized like this: \(reason)."
        case .badSwapSetting(let reason):
            "The swap venue cannot be set like this: \(reason)."
        case .badTokenSetting(let reason):
            "The token cannot be set like this: \(reason)."
        case .fork(let error): error.description
        case .badFunding(let reason): reason
        }
    }
}
