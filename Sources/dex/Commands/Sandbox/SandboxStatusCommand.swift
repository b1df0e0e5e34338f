import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost
import StrictJSON

struct SandboxStatusCommand: DexCommand {
    static var answer: Answer? { .sandboxStatus }
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell whether the sandbox runs, where, and which copies of it lag."
    )
    static let examples: Examples = [
        "Whether it runs": "dex sandbox status",
        "Its addresses, for a script": "dex sandbox status -j",
    ]

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let folder = try context.sandboxFolder()
        guard let state = try await SandboxStop.running(in: folder) else {
            return CommandReport(
                data: ["running": false, "folder": .string(folder.path)],
                lines: { _ in
                    ["No sandbox is running. Start one with: dex sandbox up --detach"]
                }
            )
        }
        guard state.leader == nil else { return try await SandboxCopyView.report(state, folder) }
        guard state.fork == nil else {
            return try await SandboxForkView.report(state, folder, context)
        }
        return await report(state, folder)
    }

    private func report(_ state: SandboxState, _ folder: SandboxFolder) async -> CommandReport {
        let reading = await SandboxReading.read(state)
        let isAnswering = reading.block != nil && !reading.orders.contains(nil)
        let view = SandboxView(state: state, folder: folder, reading: reading)
        return CommandReport(
            data: view.json,
            warnings: isAnswering
                ? []
                : [
                    "The sandbox runs, but its \(reading.block == nil ? "node" : "relay") is silent."
                ],
            lines: { screen in view.lines(screen) }
        )
    }
}
