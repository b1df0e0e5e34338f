import ArgumentParser
import DexCore
import DexSettings
import DexStore
import DexTerminal
import Ethereum
import Glibc
import SandboxHost

/// What the local store knows for a value: never the network, never a question, and no new file.
struct CompletionValues {
    let context: CommandContext
    let line: CompletionLine

    /// More than this is no help to a reader.
    private static let maximum = 100

    /// The values of an argument.
    ///
    /// - Throws: whatever keeps the local store from being read; then nothing is offered.
    func items(for argument: CommandArgument) throws -> [CompletionItem] {
        if !argument.allowed.isEmpty { return argument.allowed.map { CompletionItem(value: $0) } }
        switch CompletionSource(of: argument, for: line.path) {
        case .networks: return try networks()
        case .accounts: return try accounts()
        case .aliases: return try aliases()
        case .addressBook: return try addressBook()
        case .addresses: return try addresses()
        case .pairs: return try pairs()
        case .tokens: return try tokens()
        case .transactions: return try rows(of: .transactions) ?? transactions()
        case .orders: return try rows(of: .orders) ?? orders()
        case .hashes: return try rows(of: nil) ?? (transactions() + orders())
        case .alerts: return try alerts()
        case .guards: return try guards()
        case .settings: return SettingsSchema.allKeys.map { CompletionItem(value: $0) }
        case nil: return []
        }
    }

    /// The user's own commands.
    func aliases() throws -> [CompletionItem] {
        try context.settings().aliases.map {
            CompletionItem(value: $0.name, note: $0.words.joined(separator: " "))
        }
    }

    private func network() throws -> Network {
        try context.network(try context.settings())
    }

    private func networks() throws -> [CompletionItem] {
        try context.settings().networks().map {
            CompletionItem(value: $0.name, note: "chain \($0.chainID), 0x \($0.protocolVersion)")
        }
    }

    // MARK: Accounts

    private func addressBook() throws -> [CompletionItem] {
        try context.settings().addressBook.map {
            CompletionItem(value: $0.name, note: $0.address.checksummed)
        }
    }

    private func accounts() throws -> [CompletionItem] {
        try known { $0 != .addressBook }
    }

    private func addresses() throws -> [CompletionItem] {
        try known { _ in true }
    }

    private func known(
        _ isWanted: (KnownAddresses.Source) -> Bool
    ) throws -> [CompletionItem] {
        try context.knownAddresses(try network()).entries.filter { isWanted($0.source) }.map {
            CompletionItem(value: $0.name, note: $0.address.checksummed)
        }
    }

    // MARK: Tokens

    private func tokens() throws -> [CompletionItem] {
        symbols(startingWith: line.prefix, in: try context.tokenMap(try network()))
    }

    /// Tokens by their symbols; by address where a shell would not take the symbol for what it is.
    private func symbols(startingWith prefix: String, in map: TokenMap) -> [CompletionItem] {
        let wanted = prefix.uppercased()
        var seen: Set<String> = []
        return map.search(prefix).filter {
            ($0.symbol.uppercased().hasPrefix(wanted) || $0.word.uppercased().hasPrefix(wanted))
                && seen.insert($0.word).inserted
        }
        .prefix(Self.maximum).map { token in
            let isSymbol = token.word == token.symbol
            return CompletionItem(
                value: token.word,
                note: isSymbol ? token.name : "\(token.symbol) \(token.name)",
                other: isSymbol ? nil : token.symbol
            )
        }
    }

    /// The usual pair first, then each token against the usual quotes.
    private func pairs() throws -> [CompletionItem] {
        let settings = try context.settings()
        let map = try context.tokenMap(try context.network(settings))
        let parts = line.prefix.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            return symbols(startingWith: String(parts[1]), in: map).map { quote in
                CompletionItem(
                    value: "\(parts[0])/\(quote.value)",
                    note: quote.note,
                    other: quote.other.map { "\(parts[0])/\($0)" }
                )
            }
        }
        let usual = settings.text(["trade", "pair"]).map { [CompletionItem(value: $0)] } ?? []
        // nil: the network has no such token, or several
        let quotes = ["WETH", "USDC", "DAI"].filter { (try? map.resolve($0)) != nil }
        return usual
            + symbols(startingWith: line.prefix, in: map).flatMap { base in
                quotes.filter { $0 != base.value }.map { quote in
                    CompletionItem(
                        value: "\(base.value)/\(quote)",
                        note: base.note,
                        other: base.other.map { "\($0)/\(quote)" }
                    )
                }
            }
            .prefix(Self.maximum)
    }

    // MARK: The list shown last

    /// The rows of this terminal's list once an `@` is typed; nil otherwise.
    ///
    /// - Parameter kind: of the rows; nil if either will do.
    private func rows(of kind: ShownList.Kind?) throws -> [CompletionItem]? {
        guard line.prefix.hasPrefix("@") else { return nil }
        guard let terminal = TerminalIdentity.controlling else { return [] }
        let list = try ShownListFile(folder: try context.home().lists, terminal: terminal).read()
        guard list.network == (try network()).name, kind == nil || kind == list.kind else {
            return []
        }
        return list.hashes.enumerated().prefix(Self.maximum).map { index, hash in
            CompletionItem(value: "@\(index + 1)", note: hash.hex)
        }
    }

    // MARK: The journal

    /// nil if there is none yet: completing a word makes no file.
    private func journal(_ network: Network) throws -> Journal? {
        let journal = try context.journal(network)
        return access(journal.path, R_OK) == 0 ? journal : nil
    }

    private func orders() throws -> [CompletionItem] {
        let network = try network()
        guard let journal = try journal(network) else { return [] }
        return try journal.orders(
            chainID: network.chainID,
            exchange: network.exchange,
            maker: nil,
            limit: Self.maximum
        )
        .map { CompletionItem(value: $0.hash.hex, note: note(at: $0.created)) }
    }

    private func transactions() throws -> [CompletionItem] {
        let network = try network()
        guard let journal = try journal(network) else { return [] }
        return try journal.transactions(
            chainID: network.chainID,
            sender: nil,
            limit: Self.maximum
        )
        .map { CompletionItem(value: $0.hash.hex, note: "\($0.purpose), \(note(at: $0.created))") }
    }

    private func alerts() throws -> [CompletionItem] {
        let network = try network()
        guard let journal = try journal(network) else { return [] }
        return try journal.alerts(chainID: network.chainID, exchange: network.exchange)
            .map { CompletionItem(value: String($0.id), note: $0.text) }
    }

    private func guards() throws -> [CompletionItem] {
        let network = try network()
        guard let journal = try journal(network) else { return [] }
        return try network.guardContracts
            .flatMap { try journal.guards(chainID: network.chainID, exchange: $0) }
            .map { CompletionItem(value: String($0.id), note: GuardText.terms($0)) }
    }

    private func note(at time: UInt64) -> String {
        TimeText.minute(time) + " UTC"
    }
}
