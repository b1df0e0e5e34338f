import CProcess
import DexCore
import DexTerminal
import Glibc
import StrictJSON

/// The memory that one command may have, whatever servers and files make it hold.
enum MemoryLimit {
    /// What no command gets beyond, in bytes: a keystore may take 1 GiB, the largest book less.
    private static let most: UInt = 4 << 30
    /// Where a command asks no server any more, as long as nothing is to be signed.
    private static let mostForAnswers: UInt64 = 1 << 30

    /// What any command gets along with, in bytes: that it may write to, and of addresses.
    ///
    /// With less no thread can be started, and what waits for one waits for ever.
    private static let needed: [(resource: __rlimit_resource, option: String, bytes: UInt64)] = [
        (RLIMIT_DATA, "-d", 256 << 20), (RLIMIT_AS, "-v", 1 << 30),
    ]

    /// Why there is too little to work with; nil where there is enough.
    static func shortage() -> DexError? {
        for (resource, option, bytes) in needed {
            let allowed = limit(of: resource)
            guard allowed < bytes else { continue }
            return DexError(
                ProcessError.tooLittleMemory(allowed: allowed, bytes: bytes, option: option)
            )
        }
        return nil
    }

    private static func limit(of resource: __rlimit_resource) -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
        return UInt64(limit.rlim_cur)
    }

    /// Limits this process.
    ///
    /// What dies for want of memory from then on ends with a sentence, and no trap.
    ///
    /// - Parameter isJSON: the sentence goes to stdout too, as a JSON envelope.
    static func set(isJSON: Bool) {
        let failure = DexError(ProcessError.outOfMemory)
        let text = "error: \(failure.message)\n\(failure.hint ?? "")\n"
        let result =
            isJSON
            ? String(decoding: JSONEnvelope(command: "", error: failure).json.utf8, as: UTF8.self)
                + "\n" : ""
        // Both are read when this process ends, and so never freed.
        dex_memory_limit(most, strdup(text), strdup(result), failure.exit.rawValue)
    }

    /// Bytes that this process may write to now.
    static var used: UInt64 { UInt64(dex_memory_used()) }

    /// The most of them with which a command asks a server once more.
    static var forAnswers: UInt64 {
        min(mostForAnswers, limit(of: RLIMIT_DATA) / 4 * 3)
    }

    /// Starts a program, which gets the limit that this process had at first.
    static func lifted<Result>(_ start: () -> Result) -> Result {
        dex_memory_limit_lift(1)
        defer { dex_memory_limit_lift(0) }
        return start()
    }
}
