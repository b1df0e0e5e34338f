import Testing

/// Dapps of others on `dex provider`, with a user at its terminal.
@Suite("web3.py and a page in Chromium as dapps of dex provider")
struct ProviderTests {
    @Test("web3.py is paired, reads, signs and sends; hostile programs get nothing")
    func programs() async throws {
        let report = try await PeerReport("provider.py", PeerReport.dex)
        report.expectAgreement(checks: 14, comparisons: 190)
    }

    @Test("a page in Chromium is paired by a typed code, signs and sends")
    func page() async throws {
        let report = try await PeerReport("provider_page.py", PeerReport.dex)
        report.expectAgreement(checks: 5, comparisons: 28)
    }
}
