import DexTestSupport
import Ethereum
import Testing
import ZeroEx

/// Programs that others wrote, on the servers of `dex sandbox up`.
@Suite("Other people's clients on our servers")
struct ServerTests {
    @Test("web3.py and eth-account find a node of Ethereum in the sandbox's JSON-RPC")
    func chain() async throws {
        let report = try await PeerReport("chain.py", PeerReport.dex)
        report.expectAgreement(checks: 26, comparisons: 600)
    }

    @Test("a client of the standard relayer API finds it in our relay, by its published schemas")
    func relay() async throws {
        try await PythonEnvironment.makeSuites()
        let report = try await PeerReport("relay.py", PeerReport.dex)
        report.expectAgreement(checks: 14, comparisons: 6_000)
    }

    @Test("other people's programs agree with what the relay says of itself: OpenAPI, Prometheus")
    func relayDescriptions() async throws {
        let report = try await PeerReport("relay_openapi.py", PeerReport.dex)
        report.expectAgreement(checks: 4, comparisons: 25)
    }

    @Test(
        "a maker with eth-account finds the standard relayer API v4 below both of its bases",
        arguments: [("/sra/v4", "orderbook"), ("/orderbook/v1", "")]
    )
    func relayV4(base: String, book: String) async throws {
        try await PeerRelayV4.serve { port in
            let report = try await PeerReport(
                "relay_v4.py",
                "http://127.0.0.1:\(port)\(base)",
                book,
                "\(PeerRelayV4.domain.chainID)",
                PeerRelayV4.domain.exchange.lowercaseHex,
                PeerRelayV4.base.lowercaseHex,
                PeerRelayV4.quote.lowercaseHex,
                "\(PeerRelayV4.now)",
                PeerRelayV4.feeRecipient.lowercaseHex,
                "\(PeerRelayV4.fee)"
            )
            report.expectAgreement(checks: 6, comparisons: 1_450)
        }
    }

    @Test("eth-account signs for dex, from a program and from a node, and cannot cheat")
    func signers() async throws {
        let report = try await PeerReport("signers.py", PeerReport.dex)
        report.expectAgreement(checks: 4, comparisons: 60)
    }

    @Test("eth-account agrees with dex wallet about messages, keystores and recovery phrases")
    func wallets() async throws {
        let report = try await PeerReport("wallets.py", PeerReport.dex)
        report.expectAgreement(checks: 6, comparisons: 96)
    }
}
