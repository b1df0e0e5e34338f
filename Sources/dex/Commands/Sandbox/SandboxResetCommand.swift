import ArgumentParser
import DexCore
import SandboxHost
import StrictJSON

/// `dex sandbox reset`.
struct SandboxResetCommand: DexCommand {
    static let reportedName = "sandbox reset"
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget the sandbox's chain, orders and seed, to begin anew.",
        discussion: "A sandbox that runs is stopped first, but only with --yes."
    )

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let folder = SandboxFolder(try context.home().sandbox)
        if let state = try await SandboxStop.running(in: folder) {
            guard options.saysYes else {
                throw DexError(
                    .refused,
                    code: "sandbox-running",
                    message: "The sandbox is running (process \(state.pid)).",
                    hint: "Stop it with dex sandbox down, or run: dex sandbox reset --yes"
                )
            }
            try await SandboxStop.stop(state, in: folder)
        }
        try folder.removeData()
        return CommandReport(
            data: ["reset": true, "folder": .string(folder.path)],
            lines: { _ in ["The sandbox is empty; dex sandbox up begins anew."] }
        )
    }
}
