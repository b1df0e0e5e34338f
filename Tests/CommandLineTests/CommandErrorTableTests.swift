import DexTerminal
import ErrorTableSupport
import Testing

@testable import DexCommandLine

@Suite("The tables of the errors of commands")
struct CommandErrorTableTests {
    static let areas: [any ExemplifiedArea.Type] = [
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

    @Test("every error has a sentence, a stable code and an exit code that docs/output.md lists")
    func rows() throws {
        let table = try ErrorTable()
        for area in Self.areas { #expect(table.faults(of: area) == []) }
    }
}
