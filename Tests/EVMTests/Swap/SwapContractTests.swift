import Testing

/// The contracts of the Swap API in Vyper have to be right before `dex` trades through them.
@Suite("The Swap API's contracts on a real EVM")
struct SwapContractTests {
    @Test("they allow what the genuine ones allow, and Permit2 takes what others sign")
    func facts() async throws {
        let report = try await ContractReport(script: "swap_checks.py")
        #expect(report.checks.count == 19)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
    }

    @Test("what the tests' own Swap API quotes arrives, and each of its lies is one")
    func interface() async throws {
        let report = try await ContractReport(script: "swap_api_checks.py")
        #expect(report.checks.count == 6)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
    }
}
