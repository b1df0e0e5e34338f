import ArgumentParser

/// A command or a group of `dex`, and what is known of it beside its arguments.
///
/// Help, manual pages, completion and the program's start ask the type, so that nothing is decided by
/// a command's name. A new command is its file, and one line in the list of its group.
protocol DescribedCommand: ParsableCommand {
    /// Command lines by what they do: `"Buy 100 ZRX": "dex buy ZRX/WETH 100"`.
    typealias Examples = KeyValuePairs<String, String>

    /// Two or three lines for the help, one of them of the command itself; none of a hidden one.
    ///
    /// They are of the sandbox's market wherever one can try them there. A test has the parser of the
    /// commands read each one.
    static var examples: Examples { get }

    /// Where values come from by the words for them in the help, if not from where they usually do.
    ///
    /// It holds for the commands of a group, too.
    static var completions: [String: CompletionSource] { get }

    /// What its process is; nil for that of its group.
    static var process: CommandProcess? { get }
}

extension DescribedCommand {
    static var examples: Examples { [:] }
    static var completions: [String: CompletionSource] { [:] }
    static var process: CommandProcess? { nil }
}

/// What the process of a command is set up for before any of its threads starts.
enum CommandProcess {
    /// An answer of limited size.
    case command
    /// The full screen, in a child that the terminal survives.
    case fullScreen
    /// A whole chain or a whole book: no limit of memory applies.
    case server
    /// The same for many clients at once.
    case publicServer
    /// The holder of a key, which gives up its rights.
    case agent
}

/// The position of a command's pair, which may be left out if config.toml has `trade.pair`.
enum PairPlace {
    case first
    /// Behind the side of an order.
    case afterSide
}
