import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import StrictJSON

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change config.toml.",
        subcommands: [Show.self, Get.self, Set.self, Path.self]
    )

    struct Show: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show every setting of the file."
        )
        static let reportedName = "config show"
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let file = try context.settings().file
            let values = file.values.sorted {
                $0.key.joined(separator: ".") < $1.key.joined(separator: ".")
            }.map { ($0.key, $0.value.shown) }
            var object = JSONObject()
            for (path, value) in values { object[path.joined(separator: ".")] = value.json }
            let data: JSONValue = ["path": .string(file.path), "values": .object(object)]
            return CommandReport(data: data) { screen in
                guard !values.isEmpty else {
                    return screen.sentences("\(file.path) has no settings: all are the defaults.")
                }
                return values.map { path, value in
                    TerminalText.clean("\(path.joined(separator: ".")) = \(value.literal)")
                }
            }
        }
    }

    struct Get: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print one setting of the file."
        )
        static let reportedName = "config get"
        @Argument(help: "The key, such as network or networks.mainnet.relay.")
        var key: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let file = try context.settings().file
            let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            _ = try SettingsSchema.known(path)
            guard let value = file.values[path] else {
                throw DexError(SetupError.notSet(key: key, path: file.path))
            }
            // A value requested by name is whole; JSON, which is kept and sent on, has no keys.
            return CommandReport(data: ["key": .string(key), "value": value.shown.json]) { _ in
                [TerminalText.clean(value.text)]
            }
        }
    }

    struct Set: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change one setting of the file; comments and the rest stay."
        )
        static let reportedName = "config set"
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
            try settings.file.set([(path, value)])
            if !options.isDryRun { try settings.file.save() }
            let shown = value.shown
            let line = "\(key) = \(shown.literal)"
            return context.changed(["key": .string(key), "value": shown.json]) { _ in
                [TerminalText.clean(line)]
            }
        }
    }

    struct Path: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where the file is."
        )
        static let reportedName = "config path"
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
        case .integer(let value): JSONFormat.integer(value)
        case .list(let texts): .array(texts.map { .string($0) })
        }
    }
}
