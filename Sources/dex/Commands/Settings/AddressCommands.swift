import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON

/// `dex address`: the address book.
struct AddressCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "address",
        abstract: "Name addresses, to send to them by name.",
        discussion: """
            The names are in [addresses] of config.toml. Wallets, signers and the sandbox's \
            accounts are known by their own names: dex send WETH 1 NAME.
            """,
        subcommands: [Add.self, List.self, Remove.self],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "Name an address": "dex address add ledger 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
        "Send to it": "dex send WETH 1 ledger",
    ]
    static let completions: [String: CompletionSource] = ["name": .addressBook]

    struct Add: DexCommand {
        static var answer: Answer? { .addressEntry }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Give an address a name."
        )
        static let examples: Examples = [
            "Name an address": "dex address add ledger 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
            "See every name": "dex address list",
        ]
        @Argument(help: "The name: letters, digits, - and _.")
        var name: String
        @Argument(help: "The address, with its checksum.")
        var address: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            guard KnownAddresses.isName(name) else { throw ArgumentError.badLabel(name) }
            let address = try Address(party: address)
            var settings = try context.settings()
            let known = try context.knownAddresses(try context.network(settings))
            let taken = known.entries.first { $0.name == name }
            guard taken == nil, !SandboxAccounts.names.contains(name) else {
                throw ArgumentError.labelTaken(name, by: taken?.source ?? .sandbox)
            }
            let checksummed = address.checksummed
            try settings.file.set([([SettingsSchema.addresses, name], .text(checksummed))])
            if !options.isDryRun { try context.config.save(settings) }
            var warnings = [known.warning(about: address)].compactMap(\.self)
            if let other = known.name(of: address) {
                warnings.append("\(checksummed) is known as \(other) already.")
            }
            let line = "\(name) is \(checksummed)."
            return context.changed(
                ["name": .string(name), "address": JSONFormat.address(address)],
                warnings: warnings
            ) { _ in [line] }
        }
    }

    struct List: ListingCommand {
        static var answer: Answer? { Answer(AddressJSON.list) }
        static var rows: Fields<KnownAddresses.Entry> { AddressJSON.entry }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every name that `dex send` takes."
        )
        static let examples: Examples = [
            "Every name": "dex address list",
            "For a script": "dex address list -j",
        ]
        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let network = try context.network(try context.settings())
            var entries = try context.knownAddresses(network).entries
            let left = list.selection().apply(to: &entries)
            return report(
                context,
                AddressJSON.list,
                entries,
                left: left
            ) { [entries] screen in
                guard !entries.isEmpty else {
                    return ["No address has a name.", "Add one: dex address add NAME ADDRESS"]
                }
                let width = entries.map(\.name.count).max() ?? 0
                return entries.flatMap { entry in
                    let name = entry.name.padding(to: width)
                    let line = "\(name)  \(entry.address.checksummed)  \(entry.source.rawValue)"
                    return line.count <= screen.width
                        ? [line] : [entry.name, "  \(entry.address.checksummed)"]
                }
            }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .addressEntry }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a name from the address book."
        )
        static let examples: Examples = [
            "Forget a name": "dex address remove ledger",
            "See what is left": "dex address list",
        ]
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            let book = settings.addressBook
            guard let entry = book.first(where: { $0.name == name }) else {
                throw TransferError.unknownName(name, known: book.map(\.name))
            }
            _ = try settings.file.unset([SettingsSchema.addresses, name])
            if !options.isDryRun { try context.config.save(settings) }
            return context.changed(
                ["name": .string(name), "address": JSONFormat.address(entry.address)]
            ) { _ in ["\(entry.label) is removed."] }
        }
    }
}

extension String {
    /// The text with spaces behind it, up to a number of characters.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
