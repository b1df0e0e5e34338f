import DexCore

/// A process with too few resources of the system.
enum ProcessError: ErrorArea {
    static func tooFewDescriptors(free: Int, needed: Int) -> DexError {
        row(
            .configuration("too-few-descriptors"),
            "Only \(free) more files and connections may be open at once, and dex needs "
                + "\(needed). Nothing was signed or sent.",
            hint: "Raise the limit in this shell, then run the command again: ulimit -n 1024"
        )
    }

    static func tooLittleMemory(allowed: UInt64, bytes: UInt64, option: String) -> DexError {
        row(
            .configuration("too-little-memory"),
            "This process may have \(allowed >> 20) MiB of memory, and dex needs "
                + "\(bytes >> 20) MiB. Nothing was signed or sent.",
            hint: "Raise the limit in this shell, then run the command again: "
                + "ulimit \(option) \(bytes >> 10)"
        )
    }

    static let outOfMemory = row(
        .fault("out-of-memory"),
        "dex ran out of the memory that it may have. What was signed or sent, if "
            + "anything, is in the journal.",
        hint:
            "Give it more where this shell has a limit (ulimit -v), then see what was done: "
            + "dex resume"
    )
}
