import DexTestSupport
import Testing

/// Programs that others wrote, and hostile ones, on a relay of the built binary.
@Suite("Other people's programs on dex relay serve")
struct ServedRelayTests {
    @Test("Chromium shows the page, follows it live, and finds nothing to complain about")
    func page() async throws {
        let report = try await PeerReport("relay_page.py", PeerReport.dex)
        report.expectAgreement(checks: 6, comparisons: 70)
    }

    @Test("promtool finds no fault in the metrics of a relay under load")
    func metrics() async throws {
        let report = try await PeerReport("relay_load.py", PeerReport.dex)
        report.expectAgreement(checks: 2, comparisons: 20)
    }

    @Test("slow, silent and vanished clients end by the relay's limits, and nobody waits for them")
    func slow() async throws {
        let report = try await PeerReport("relay_slow.py", PeerReport.dex)
        report.expectAgreement(checks: 7, comparisons: 20)
    }

    @Test("floods from one address, and each limit with one above, leave room for others")
    func floods() async throws {
        let report = try await PeerReport("relay_floods.py", PeerReport.dex)
        report.expectAgreement(checks: 6, comparisons: 100)
    }

    @Test("hostile fields, foreign hosts and other sites get refusals in the API's shape")
    func fields() async throws {
        let report = try await PeerReport("relay_fields.py", PeerReport.dex)
        report.expectAgreement(checks: 5, comparisons: 5_900)
    }

    @Test("the settings of a host do what they say: policy, readiness, proxies, signals, stores")
    func settings() async throws {
        let report = try await PeerReport("relay_settings.py", PeerReport.dex)
        report.expectAgreement(checks: 7, comparisons: 75)
    }
}
