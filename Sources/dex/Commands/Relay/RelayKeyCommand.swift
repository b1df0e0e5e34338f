import ArgumentParser
import DexCore
import DexRelay
import DexTerminal
import Ethereum
import RelayHost
import StrictJSON

/// `dex relay key`: clients with limits of their own.
struct RelayKeyCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Give a client a key, which counts against limits of its own.",
        discussion: """
            A request that carries the key (Authorization: Bearer KEY, or 0x-api-key: KEY) is \
            counted for the client and not for its address. A running relay takes a change within \
            a few seconds; instances on PostgreSQL share the limits.
            """,
        subcommands: [Add.self, List.self, Remove.self]
    )
    static let examples: Examples = [
        "A key for a market maker": "dex relay key add maker --posts-per-second 100",
        "Who has keys": "dex relay key list",
    ]

    struct Add: DexCommand {
        static var answer: Answer? { .relayKey }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make a key for a client, and show it this once.",
            discussion: """
                A limit that is left out is the one that an address has; 0 is no limit. Only the \
                key's SHA-256 is kept.
                """
        )
        static let examples: Examples = [
            "With limits of its own":
                "dex relay key add maker --posts-per-second 100 --post-burst 500",
            "Reading without a limit": "dex relay key add shop --requests-per-hour 0",
        ]

        @Argument(help: .of("name", "Whose key: 1 to 40 of a-z, 0-9 and -."))
        var name: String

        @Option(help: .of("n", "Requests an hour."))
        var requestsPerHour: Int?

        @Option(help: .of("n", "Posted orders a second, on average."))
        var postsPerSecond: Int?

        @Option(help: .of("n", "Posted orders at once."))
        var postBurst: Int?

        @Option(help: .of("n", "Subscriptions of feeds a second; 32 times as many at once."))
        var subscriptionsPerSecond: Int?

        @OptionGroup var relay: RelayOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            guard RelayKey.isName(name) else { throw RelayUseError.badClient(name) }
            var limits = RelayKey.Limits()
            limits.requestsPerHour = try limit(requestsPerHour, "--requests-per-hour")
            limits.postsPerSecond = try limit(postsPerSecond, "--posts-per-second")
            limits.postBurst = try limit(postBurst, "--post-burst")
            limits.subscriptionsPerSecond = try limit(
                subscriptionsPerSecond,
                "--subscriptions-per-second"
            )
            let settings = try context.relaySettings(
                at: try context.relaySettingsPath(relay.config)
            )
            let list = KeyList(settings)
            var generator = SystemRandomNumberGenerator()
            let text = RelayKey.text(using: &generator)
            let key = RelayKey(
                name: name,
                digest: RelayKey.digest(of: text) ?? [],
                addedAt: Console.now(),
                limits: limits
            )
            let isDry = context.options.isDryRun
            if !isDry { try await list.add(key) }
            return context.changed([
                "path": list.path.map { .string($0) } ?? .null,
                "store": .string(settings.store.words),
                "client": ServerJSON.client(key),
                "key": isDry ? .null : .string(text),
            ]) { _ in
                guard !isDry else { return ["\(name) would get a key."] }
                return [
                    text,
                    "This is the key of \(name). It is not shown again.",
                    "Its requests carry it: Authorization: Bearer KEY, or 0x-api-key: KEY",
                ]
            }
        }

        private func limit(_ value: Int?, _ option: String) throws -> Int? {
            guard let value else { return nil }
            guard (0...RelayKey.largestLimit).contains(value) else {
                throw RelayUseError.badClientLimit(option, maximum: RelayKey.largestLimit)
            }
            return value
        }
    }

    struct List: DexCommand {
        static var answer: Answer? { .relayKeys }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the clients with keys, and their limits; never the keys."
        )
        static let examples: Examples = [
            "Who has keys": "dex relay key list",
            "For a script": "dex relay key list -j",
        ]

        @OptionGroup var relay: RelayOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let settings = try context.relaySettings(
                at: try context.relaySettingsPath(relay.config)
            )
            let list = KeyList(settings)
            let keys = try await list.keys()
            let data: JSONValue = [
                "path": list.path.map { .string($0) } ?? .null,
                "store": .string(settings.store.words),
                "clients": ServerJSON.client(keys),
            ]
            return CommandReport(data: data) { screen in
                guard !keys.isEmpty else {
                    return ["No client has a key.", "Give one: dex relay key add NAME"]
                }
                return ServerJSON.client.lines(keys, screen)
            }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .relayKeyRemoved }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a client's key; its requests are refused and its feeds closed."
        )
        static let examples: Examples = [
            "Take a key back": "dex relay key remove maker",
            "Of another relay": "dex relay key remove maker --config relay2.toml",
        ]

        @Argument(help: .of("name", "Whose key."))
        var name: String

        @OptionGroup var relay: RelayOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            guard RelayKey.isName(name) else { throw RelayUseError.badClient(name) }
            let settings = try context.relaySettings(
                at: try context.relaySettingsPath(relay.config)
            )
            let list = KeyList(settings)
            if !context.options.isDryRun { try await list.remove(name) }
            return context.changed([
                "path": list.path.map { .string($0) } ?? .null,
                "store": .string(settings.store.words),
                "name": .string(name),
            ]) { _ in
                ["The key of \(name) is removed; a running relay refuses it within a few seconds."]
            }
        }
    }
}
