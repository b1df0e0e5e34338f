import ArgumentParser
import DexCore
import DexTerminal

struct DoctorCommand: DexCommand {
    static var answer: Answer? { Answer(DoctorJSON.state) }
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check settings, wallet, node, relay, allowances and what is in flight.",
        discussion: """
            Each row tells what was found and the command that mends it. Nothing is signed or \
            changed, and no password is asked for. It exits as the first row that failed would \
            end other commands, and with 0 where none did.
            """
    )
    static let examples: Examples = [
        "Check the default network and wallet": "dex doctor",
        "Check what a trade as alice would use": "dex doctor --network sandbox -w alice",
    ]

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        var context = context
        context.opensWallets = false
        let state = try await MachineCheck(context: context).state()
        return CommandReport(
            data: DoctorJSON.state(state),
            error: state.failure
        ) { DoctorView(state).lines($0) }
    }
}
