/// The part of the local store that completes a value in a shell.
enum CompletionSource {
    case networks
    /// Wallets, signers, and the sandbox's accounts.
    case accounts
    case aliases
    /// The names of config.toml.
    case addressBook
    /// The same and the accounts.
    case addresses
    case pairs
    case tokens
    /// Own ones, or the rows of the list that was shown last.
    case transactions
    case orders
    /// Orders and transactions.
    case hashes
    case alerts
    case guards
    /// The keys of config.toml.
    case settings

    /// By the words for the values in the help.
    private static let usual: [String: CompletionSource] = [
        "name": .accounts,
        "pair": .pairs, "base/quote": .pairs,
        "token": .tokens, "tokens": .tokens, "against": .tokens,
        "hash": .orders, "hashes": .orders, "order": .orders,
        "to": .addresses, "address": .addresses,
        "id": .guards, "key": .settings,
    ]

    /// - Returns: nil for an argument whose values are not known.
    init?(of argument: CommandArgument, for path: CommandPath) {
        let isOption = !argument.names.isEmpty
        let source: CompletionSource? =
            if argument.names.contains("--network") || argument.names.contains("--also-network") {
                .networks
            } else if argument.names.contains("--wallet") {
                .accounts
            } else if isOption, argument.value == "name" {
                // A new one.
                nil
            } else {
                path.inner { $0.completions[argument.value] } ?? Self.usual[argument.value]
            }
        guard let source else { return nil }
        self = source
    }
}
