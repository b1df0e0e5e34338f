import DexTestSupport
import Testing

/// Contracts as they were published, on the sandbox's chain.
@Suite("Published contracts on the sandbox")
struct PublishedContractTests {
    @Test("Uniswap v3 is created, gets liquidity and trades, word by word as on py-evm")
    func uniswap() async throws {
        // The byte code is in a package.
        try await PythonEnvironment.makeSuites()
        let report = try await PeerReport("genuine_contracts.py", PeerReport.dex)
        report.expectAgreement(checks: 1, comparisons: 1_900)
    }

    @Test("0x v3 is created, fills, matches, cancels, refuses and pays its stakers as on py-evm")
    func exchange() async throws {
        try await PythonEnvironment.makeSuites()
        let report = try await PeerReport("genuine_exchange.py", PeerReport.dex)
        report.expectAgreement(checks: 1, comparisons: 8_500)
    }
}
