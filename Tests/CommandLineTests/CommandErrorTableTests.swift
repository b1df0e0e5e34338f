import DexTerminal
import ErrorTableSupport
import Testing

@testable import DexCommandLine

@Suite("The tables of the errors of commands")
struct CommandErrorTableTests {
    static let areas: [any ExemplifiedError.Type] = [
        AccountError.self,
        AgentStartError.self,
        ArgumentError.self,
        DeclinedError.self,
        MCPError.self,
        ProcessError.self,
        ProviderError.self,
        RelayUseError.self,
        SandboxUseError.self,
        SecretError.self,
        SetupError.self,
        SwapKeyError.self,
        ToolArgumentError.self,
        WatchSetupError.self,
    ]

    @Test("every case has a sentence, a stable code and an exit code that docs/output.md lists")
    func rows() throws {
        let table = try ErrorTable()
        for area in Self.areas {
            #expect(table.faults(of: area) { Self.listed($0, area) } == [])
        }
    }

    /// What a code is listed as: itself, or the family that it is of.
    private static func listed(_ code: String, _ area: any ExemplifiedError.Type) -> String {
        switch area {
        case is SetupError.Type where ["no-relay", "no-node"].contains(code): "no-KEY"
        case is WatchSetupError.Type where code == "no-webhook": "no-KEY"
        default: code
        }
    }
}
