import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost
import StrictJSON

struct SandboxResetCommand: DexCommand {
    static var answer: Answer? { .sandboxReset }
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget the sandbox's chain, orders and seed, to begin anew.",
        discussion: "A sandbox that runs is stopped first, but only with --yes."
    )
    static let examples: Examples = [
        "Begin anew": "dex sandbox reset",
        "Without a question": "dex sandbox reset -y",
    ]

    @Flag(name: .customLong("copy"), help: "Forget the copy of another machine's sandbox instead.")
    var isCopy = false

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let home = try context.home()
        let folder = SandboxFolder(isCopy ? home.sandboxCopy : home.sandbox)
        if let state = try await SandboxStop.running(in: folder) {
            guard options.saysYes else {
                throw SandboxUseError.running(pid: state.pid)
            }
            try await SandboxStop.stop(state, in: folder)
        }
        try folder.removeData()
        return CommandReport(
            data: ["reset": true, "folder": .string(folder.path)],
            lines: { _ in
                [
                    isCopy
                        ? "The copy is gone; dex sandbox follow URL begins anew."
                        : "The sandbox is empty; dex sandbox up begins anew."
                ]
            }
        )
    }
}
