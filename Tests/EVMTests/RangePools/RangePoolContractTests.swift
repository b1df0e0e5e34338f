import DexTestSupport
import Foundation
import Testing

/// Our contracts of Uniswap v3 in Vyper have to be the genuine ones' equals: the sandbox has them.
@Suite("Uniswap v3's contracts in Vyper on a real EVM")
struct RangePoolContractTests {
    private static let isAll = ProcessInfo.processInfo.environment["DEX_UNISWAP_ALL"] == "1"
    /// Of 12 about pools and 8 about the router, which `DEX_UNISWAP_ALL=1` takes whole.
    private static let sample = 1

    @Test("random sequences end as on the genuine contracts, word by word, with gas within 15 %")
    func differential() async throws {
        // The genuine ones are in a package.
        try await PythonEnvironment.makeSuites()
        let first = 1 + SampleSeed.of("UNISWAP") % 8 * UInt64(Self.sample)
        let report = try await ContractReport(
            script: "range_pool_checks.py",
            arguments: Self.isAll ? [] : [String(first), String(Self.sample)]
        )
        // Beside the sequences: their coverage, 2 of their own, and 12 of gas.
        #expect(report.checks.count == (Self.isAll ? 12 + 8 + 1 : 2 * Self.sample) + 2 + 12)
        for check in report.checks {
            #expect(check.differences == [], "\(check.name)")
        }
        let gas = report.checks.filter { $0.expectedGas != nil }
        #expect(gas.count == 12)
        for check in gas {
            let used = try #require(check.gasUsed)
            let expected = try #require(check.expectedGas)
            #expect(
                abs(used - expected) * 100 <= 15 * expected,
                "\(check.name): \(used) instead of \(expected)"
            )
        }
    }

    @Test("the sandbox's byte code is what the sources make")
    func byteCode() async throws {
        let resource = PythonEnvironment.root.appending(path: "Resources/sandbox-contracts.json")
        let run = try await PythonEnvironment.run(
            "evm/sandbox_contracts.py",
            [resource.path, "--check"]
        )
        #expect(run.status == 0, "\(run.errors)")
    }
}
