import CProcess
import DexCore
import DexTerminal
import Glibc
import StrictJSON

/// The memory limits of one command, whatever servers and files it reads.
enum MemoryLimit {
    /// The limit of any command, in bytes: a keystore may take 1 GiB, the largest book less.
    private static let maximum: UInt = 4 << 30
    /// Above this, in bytes, a command sends no more requests while nothing is to be signed.
    private static let maximumForAnswers: UInt64 = 1 << 30

    /// The minimum for any command, in bytes: writable memory, and address space.
    ///
    /// With less no thread can start, and a wait for one never ends.
    private static let needed: [(resource: __rlimit_resource, option: String, bytes: UInt64)] = [
        (RLIMIT_DATA, "-d", 256 << 20), (RLIMIT_AS, "-v", 1 << 30),
    ]

    /// The error of too little memory; nil if there is enough.
    static func shortage() -> DexError? {
        for (resource, option, bytes) in needed {
            let allowed = limit(of: resource)
            guard allowed < bytes else { continue }
            return ProcessError.tooLittleMemory(allowed: allowed, bytes: bytes, option: option)
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
    /// Running out of memory then ends it with a sentence instead of a trap.
    ///
    /// - Parameter isJSON: the sentence goes to stdout too, as a JSON envelope.
    static func set(isJSON: Bool) {
        let failure = ProcessError.outOfMemory
        let text = "error: \(failure.message)\n\(failure.hint ?? "")\n"
        let result =
            isJSON
            ? String(decoding: JSONEnvelope(command: "", error: failure).json.utf8, as: UTF8.self)
                + "\n" : ""
        // Both are used at the end of this process, and so never freed.
        dex_memory_limit(maximum, strdup(text), strdup(result), failure.exit.rawValue)
    }

    /// Bytes of writable memory in use.
    static var used: UInt64 { UInt64(dex_memory_used()) }

    /// The highest use at which a command sends another request.
    static var forAnswers: UInt64 {
        min(maximumForAnswers, limit(of: RLIMIT_DATA) / 4 * 3)
    }

    /// Starts a program with this process's original limit.
    static func lifted<Result>(_ start: () -> Result) -> Result {
        dex_memory_limit_lift(1)
        defer { dex_memory_limit_lift(0) }
        return start()
    }
}
