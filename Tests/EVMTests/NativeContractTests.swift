import Testing

/// The Exchange Proxy of 0x v4 in Vyper has to be the genuine one's equal before it judges.
@Suite("The native orders of 0x v4 on a real EVM")
struct NativeContractTests {
    @Test("all 29 executed calls answer, log and revert byte for byte as on the genuine contracts")
    func calls() async throws {
        let report = try await ContractReport(
            script: "native_vectors.py",
            vectors: "calldata-v4.json"
        )
        #expect(report.checks.count == 29)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
    }

    @Test("what the calls do not reach is as the facts say, with gas within 8 %")
    func facts() async throws {
        let report = try await ContractReport(
            script: "native_conformance.py",
            vectors: "order-v4.json"
        )
        #expect(report.checks.count == 27)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
        let gas = report.checks.filter { $0.expectedGas != nil }
        #expect(gas.count == 9)
        for check in gas {
            let used = try #require(check.gasUsed)
            let expected = try #require(check.expectedGas)
            #expect(
                abs(used - expected) * 100 <= 8 * expected,
                "\(check.name): \(used) instead of \(expected)"
            )
        }
    }
}
