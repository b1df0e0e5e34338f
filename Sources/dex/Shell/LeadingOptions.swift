/// Allows the options of every command before it too: `dex --json pairs`, `dex -j pairs`.
///
/// ArgumentParser takes them only after the command.
enum LeadingOptions {
    private static let flags: Set<String> = [
        "--json", "--yes", "--dry-run", "--quiet", "--verbose", "--no-pager",
        "--no-color",
    ]
    private static let valued: Set<String> = [
        "--network", "--relay", "--rpc", "--wallet", "--timeout",
    ]

    /// The arguments with those options moved to the end, or before a `--`.
    ///
    /// Unchanged if anything else comes first.
    static func moved(_ arguments: [String]) -> [String] {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            let name = argument.prefix { $0 != "=" }
            if valued.contains(argument) || ShortFlags.takesValue(argument) {
                guard index + 1 < arguments.count else { return arguments }
                index += 2
            } else if flags.contains(argument) || ShortFlags.letters(of: argument) != nil
                || (name != argument && valued.contains(String(name)))
            {
                index += 1
            } else {
                break
            }
        }
        guard index > 0, index < arguments.count, !arguments[index].hasPrefix("-") else {
            return arguments
        }
        var rest = Array(arguments[index...])
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        rest.insert(contentsOf: arguments[..<index], at: end)
        return rest
    }
}
