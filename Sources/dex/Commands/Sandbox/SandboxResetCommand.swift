import ArgumentParser
import DexCore
import SandboxHost
import StrictJSON

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
                throw DexError(SandboxUseError.running(pid: state.pid))
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
