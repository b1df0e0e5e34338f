import ArgumentParser
import DexCore
import DexNetwork
import DexTerminal
import EthereumWallet
import RelayHost

struct RelayCheckCommand: DexCommand {
    static var answer: Answer? { Answer(DoctorJSON.state) }
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the relay's settings, store, node, clock and contracts.",
        discussion: """
            Each row tells what was found and what mends it. Nothing is changed. It exits as the \
            first row that failed would end dex relay serve, and with 0 where none did.
            """
    )
    static let examples: Examples = [
        "Before it serves": "dex relay check",
        "For a monitor": "dex relay check --config relay.toml -j",
    ]

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let state = try await state(context)
        return CommandReport(
            data: DoctorJSON.state(state),
            error: state.failure
        ) { DoctorView(state).lines($0) }
    }

    private func state(_ context: CommandContext) async throws -> DoctorState {
        let settings: RelaySettings
        do throws(DexError) {
            settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        } catch {
            return RelayCheck.unreadable(error)
        }
        let transport = context.transport()
        let environment = context.liveEnvironment
        return try await RelayCheck(
            settings: settings,
            node: RelayNode(
                settings: settings,
                chain: JSONRPCChainClient(urls: settings.rpc, transport: transport),
                recoverer: Secp256k1(),
                environment: environment
            ),
            probes: settings.rpc.map { url in
                HTTPNodeProbe(url: url, transport: transport) { Console.milliseconds() }
            },
            environment: environment
        ).state()
    }
}
