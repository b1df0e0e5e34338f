import DexTestSupport
import Testing

/// A browser on the explorer of a sandbox of the built binary.
@Suite("Chromium on the explorer")
struct ExplorerPageTests {
    @Test("it shows every page, follows the chain, works without scripts, and finds no fault")
    func pages() async throws {
        let report = try await PeerReport("explorer_page.py", PeerReport.dex)
        report.expectAgreement(checks: 4, comparisons: 90)
    }
}
