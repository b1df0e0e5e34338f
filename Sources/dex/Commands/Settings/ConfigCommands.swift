import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import StrictJSON

struct ConfigCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change config.toml.",
        subcommands: [
            Show.self, Get.self, Set.self, Unset.self, ConfigEditCommand.self, Path.self,
        ],
        defaultSubcommand: Show.self
    )
    static let examples: Examples = [
        "See what is set": "dex config show",
        "Trade this pair where none is named": "dex config set trade.pair ZRX/WETH",
    ]

    struct Show: DexCommand {
        static var answer: Answer? { .configShow }
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show every setting of the file, or with --all those that hold."
        )
        static let examples: Examples = [
            "Every setting": "dex config show",
            "For a script": "dex config show -j",
        ]

        @Flag(help: "Also what the file does not set: the value that holds, and where it is from.")
        var all = false

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            if all { return try effective(context) }
            let file = try context.settings().file
            let values = file.values.sorted {
                $0.key.joined(separator: ".") < $1.key.joined(separator: ".")
            }.map { ($0.key, $0.value.shown) }
            var object = JSONObject()
            for (path, value) in values { object[path.joined(separator: ".")] = value.json }
            let data: JSONValue = ["path": .string(file.path), "fileSettings": .object(object)]
            return CommandReport(data: data) { screen in
                guard !values.isEmpty else {
                    return screen.sentences("\(file.path) has no settings: all are the defaults.")
                }
                return values.map { path, value in
                    TerminalText.clean("\(path.joined(separator: ".")) = \(value.literal)")
                }
            }
        }

        private func effective(_ context: CommandContext) throws -> CommandReport {
            let path = try context.settings().file.path
            let settings = try EffectiveSettings(context).all()
            let data: JSONValue = [
                "path": .string(path),
                "settings": .list(settings) { setting in
                    [
                        "key": .string(setting.key),
                        "value": setting.value?.shown.json ?? .null,
                        "source": .string(setting.source),
                    ]
                },
            ]
            return CommandReport(data: data) { screen in
                var table = Table([
                    .init("SETTING"), .init("VALUE", minimumWidth: 8), .init("FROM", dropOrder: 1),
                ])
                for setting in settings {
                    table.add([
                        .init(TerminalText.clean(setting.key)),
                        .init(TerminalText.clean(setting.value?.shown.text ?? "-")),
                        .init(
                            setting.source,
                            setting.source == EffectiveSettings.defaultSource ? .dim : .cyan
                        ),
                    ])
                }
                return table.lines(width: screen.width, style: screen.style)
            }
        }
    }

    struct Get: DexCommand {
        static var answer: Answer? { .configGet }
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print one setting: of the file, or else the default that holds."
        )
        static let examples: Examples = [
            "The default network": "dex config get network",
            "A setting of a network": "dex config get networks.mainnet.relay",
        ]
        @Argument(help: "The key, such as network or networks.mainnet.relay.")
        var key: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let file = try context.settings().file
            let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            _ = try SettingsSchema.known(path)
            var value = file.values[path]
            var source = EffectiveSettings.fileSource
            if value == nil, let effective = try EffectiveSettings(context).find(key) {
                (value, source) = (effective.value, effective.source)
            }
            guard let value else {
                throw SetupError.notSet(key: key, path: file.path)
            }
            // A value requested by name is whole; JSON, which is kept and sent on, has no keys.
            let data: JSONValue = [
                "key": .string(key), "value": value.shown.json, "source": .string(source),
            ]
            return CommandReport(data: data) { _ in [TerminalText.clean(value.text)] }
        }
    }

    struct Set: DexCommand {
        static var answer: Answer? { .configSet }
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change one setting of the file; comments and the rest stay."
        )
        static let examples: Examples = [
            "The default pair": "dex config set trade.pair ZRX/WETH",
            "The node of a network": "dex config set networks.mainnet.rpc https://node.example",
        ]
        @Argument(help: "The key, such as network or networks.mainnet.relay.")
        var key: String
        @Argument(help: "The value; a list comma-separated, or as in the file: [\"a\", \"b\"].")
        var value: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let value = try SettingsSchema.known(path).value(of: value)
            if path == ["network"] { _ = try settings.network(value.text) }
            let wasUsable = (try? settings.checkUsable()) != nil  // nil: refused before
            try settings.file.set([(path, value)])
            // A file that was refused before may be on its way to being mended.
            if wasUsable { try settings.checkUsable() }
            if !options.isDryRun { try context.config.save(settings) }
            let shown = value.shown
            let line = "\(key) = \(shown.literal)"
            return context.changed(["key": .string(key), "value": shown.json]) { _ in
                [TerminalText.clean(line)]
            }
        }
    }

    struct Unset: DexCommand {
        static var answer: Answer? { .configUnset }
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Remove a setting of the file, so that its default holds again.",
            discussion: """
                KEY is a setting, or all of a table: trade, watch, networks.NAME, signers.NAME. \
                Comments and the rest stay.
                """
        )
        static let examples: Examples = [
            "Have no default pair any more": "dex config unset trade.pair",
            "Remove a network": "dex config unset networks.mychain",
        ]
        @Argument(help: "The key, such as trade.slippage or networks.mine.")
        var key: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let before = try context.settings()
            let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            var settings = before
            let removed = try settings.file.unset(path).map { path, value in
                (path.joined(separator: "."), value.shown)
            }.sorted { $0.0 < $1.0 }
            guard !removed.isEmpty else {
                throw SetupError.nothingToUnset(key: key, path: settings.file.path)
            }
            do {
                try settings.check()
            } catch {
                // A file that was refused before may be on its way to being mended.
                if (try? before.check()) != nil { throw error }
            }
            if !options.isDryRun { try context.config.save(settings) }
            var object = JSONObject()
            for (name, value) in removed { object[name] = value.json }
            return context.changed(["key": .string(key), "removedSettings": .object(object)]) { _ in
                removed.map { TerminalText.clean("removed \($0.0) = \($0.1.literal)") }
            }
        }
    }

    struct Path: DexCommand {
        static var answer: Answer? { .configPath }
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where the file is."
        )
        static let examples: Examples = [
            "Where the file is": "dex config path",
            "For a script": "dex config path -j",
        ]
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let path = try context.home().configFile
            // A script gets the exact bytes, a terminal no control characters.
            let isShown = context.console.isInteractive
            return CommandReport(data: ["path": .string(path)]) { _ in
                [isShown ? TerminalText.clean(path) : path]
            }
        }
    }
}

extension SettingValue {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .flag(let isOn): .bool(isOn)
        case .integer(let value): JSONFormat.integer(value)
        case .list(let texts): .array(texts.map { .string($0) })
        }
    }
}
