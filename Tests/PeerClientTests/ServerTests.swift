import DexTestSupport
import Testing

/// Programs that others wrote, on the servers of `dex sandbox up`.
@Suite("Other people's clients on our servers")
struct ServerTests {
    @Test("web3.py and eth-account find a node of Ethereum in the sandbox's JSON-RPC")
    func chain() async throws {
        let report = try await PeerReport("chain.py", PeerReport.dex)
        report.expectAgreement(checks: 25, comparisons: 600)
    }

    @Test("a client of the standard relayer API finds it in our relay, by its published schemas")
    func relay() async throws {
        try await PythonEnvironment.makeSuites()
        let report = try await PeerReport("relay.py", PeerReport.dex)
        report.expectAgreement(checks: 14, comparisons: 6_000)
    }

    @Test("eth-account signs for dex, from a program and from a node, and cannot cheat")
    func signers() async throws {
        let report = try await PeerReport("signers.py", PeerReport.dex)
        report.expectAgreement(checks: 3, comparisons: 30)
    }

    @Test("eth-account agrees with dex wallet about messages, keystores and recovery phrases")
    func wallets() async throws {
        let report = try await PeerReport("wallets.py", PeerReport.dex)
        report.expectAgreement(checks: 5, comparisons: 80)
    }
}
