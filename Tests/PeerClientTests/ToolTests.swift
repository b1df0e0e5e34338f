import Testing

/// A model's host of others on `dex mcp`.
@Suite("The Python client of the Model Context Protocol on dex mcp")
struct ToolTests {
    @Test("every mode lists and calls the tools; answers are those of --json, others' words fenced")
    func client() async throws {
        let report = try await PeerReport("mcp_tools.py", PeerReport.dex)
        report.expectAgreement(checks: 7, comparisons: 400)
    }

    @Test("it plans, executes, waits for a person, and meets a no, an end and a market that moved")
    func plans() async throws {
        let report = try await PeerReport("mcp_plans.py", PeerReport.dex)
        report.expectAgreement(checks: 4, comparisons: 500)
    }
}
