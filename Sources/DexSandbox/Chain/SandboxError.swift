/// The reason why a chain cannot be opened, stored or served.
package enum SandboxError: ForkFailure, Hashable, Sendable, CustomStringConvertible {
    case notAChain(ChainFile, reason: String)
    case otherGenesis(ChainFile)
    case newerFormat(ChainFile, version: Int)
    case olderFormat(ChainFile)
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
        case .notAChain(let file, let reason):
            "The file \(file.path) is not a sandbox chain (\(reason)); move it away, or run "
                + "`\(file.reset)` to begin a new one."
        case .otherGenesis(let file):
            "The chain in \(file.path) was begun from another genesis, as by another version of "
                + "dex; run `\(file.reset)` to begin a new one."
        case .newerFormat(let file, let version):
            "The chain in \(file.path) was written by a newer dex (format \(version)); use that "
                + "one, or run `\(file.reset)` to begin a new chain."
        case .olderFormat(let file):
            "The chain in \(file.path) was written by an older dex, which simulated its contracts, "
                + "and cannot go on; run `\(file.reset)` to begin a new one."
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
