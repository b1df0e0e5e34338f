import Testing

/// The Vyper contracts have to be the genuine ones' equals before anything is held against them.
@Suite("The contracts on a real EVM")
struct ContractTests {
    @Test("all 62 executed scenarios end as on the genuine contracts, with their gas within 5 %")
    func scenarios() async throws {
        let report = try await ContractReport(script: "vectors.py", vectors: "fills-v1.json")
        #expect(report.checks.count == 62)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
            let used = try #require(check.gasUsed)
            let expected = try #require(check.expectedGas)
            // Without an order there is nothing but reading arguments, which Vyper does dearer.
            let percent = check.name == "upTo-empty" ? 10 : 5
            #expect(
                abs(used - expected) * 100 <= percent * expected,
                "\(check.name) uses \(used) gas instead of \(expected)"
            )
        }
    }

    @Test("what the scenarios do not reach is as the facts say")
    func facts() async throws {
        let report = try await ContractReport(script: "conformance.py", vectors: "order-v1.json")
        #expect(report.checks.count == 21)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
    }
}
