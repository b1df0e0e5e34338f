import ArgumentParser
import DexResources
import DexTerminal
import StrictJSON

/// `dex completion`: the scripts that let shells complete the words of `dex`.
struct CompletionCommand: DexCommand {
    static var answer: Answer? { .completion }
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash
        case zsh
        case fish

        fileprivate var script: UnsafeRawBufferPointer {
            switch self {
            case .bash: DexResources.bashCompletion
            case .zsh: DexResources.zshCompletion
            case .fish: DexResources.fishCompletion
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completion script of a shell.",
        discussion: """
            In bash: source <(dex completion bash). In zsh, after compinit: source <(dex \
            completion zsh). In fish: dex completion fish | source. Put the line that is yours \
            into .bashrc, .zshrc or config.fish.

            Commands, options, pairs, tokens, networks, wallets, addresses, aliases, own orders \
            and own transactions are completed, from the local store alone.
            """
    )
    static let examples: Examples = [
        "What bash has to read": "dex completion bash",
        "What fish has to read": "dex completion fish",
    ]

    @Argument(help: .of("shell", "The shell."))
    var shell: Shell
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let script = String(decoding: shell.script, as: UTF8.self)
        return CommandReport(
            data: ["shell": .string(shell.rawValue), "script": .string(script)]
        ) { _ in
            // The console ends the last line.
            [script.hasSuffix("\n") ? String(script.dropLast()) : script]
        }
    }
}
