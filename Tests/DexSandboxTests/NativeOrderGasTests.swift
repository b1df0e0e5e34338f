import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

/// Section 9 of docs/protocol/zeroex-v4.md: gas used on the compiled contracts with a multiplier of
/// zero, no balance zero before.
///
/// That fits to allowances that are reduced: a batch's first order costs more by the two allowances
/// that it is the first to write.
@Suite("Gas of v4 calls")
struct NativeOrderGasTests {
    /// The gas of a call on a chain of its own.
    private func gas(
        _ expected: UInt64,
        _ name: String,
        from sender: (TestChain) -> PrivateKeySigner = { $0.alice },
        _ call: (TestChain) throws -> ExchangeCallV4
    ) async throws {
        let test = try TestChain { genesis in
            genesis.allowances = genesis.allowances.map {
                GenesisAllowance(
                    token: $0.token,
                    owner: $0.owner,
                    spender: $0.spender,
                    amount: 500 * ether
                )
            }
        }
        let receipt = try await test.send(call(test), from: sender(test), gas: 2_000_000)
        #expect(receipt.succeeded)
        let difference = max(receipt.gasUsed, expected) - min(receipt.gasUsed, expected)
        // The figures are rounded to thousands.
        #expect(
            difference * 100 <= 7 * expected,
            "\(name): \(receipt.gasUsed) instead of \(expected)"
        )
    }

    @Test("single fills and cancels use the measured gas within 7 %")
    func singles() async throws {
        try await gas(108_000, "limit") { test in
            let signed = try test.limit(by: test.makers[0])
            return .limit(.fill(signed.order, signed.signature, amount: 1_000))
        }
        try await gas(133_000, "limit with a fee") { test in
            let signed = try test.limit(by: test.makers[0]) {
                $0.takerTokenFeeAmount = 1_000_000_000_000_000_000
                $0.feeRecipient = TestChain.address(0xF00)
            }
            return .limit(.fill(signed.order, signed.signature, amount: 1_000))
        }
        try await gas(107_000, "RFQ") { test in
            let signed = try test.rfq(by: test.makers[0])
            return .rfq(.fill(signed.order, signed.signature, amount: 1_000))
        }
        try await gas(55_000, "cancel", from: { $0.makers[0] }) { test in
            .limit(.cancel(try test.limit(by: test.makers[0]).order))
        }
        try await gas(53_000, "cancel of a pair", from: { $0.makers[0] }) { _ in
            .limit(
                .cancelPair(
                    PairCancelV4(
                        makerToken: TestChain.dai,
                        takerToken: TestChain.weth,
                        minValidSalt: 1_000
                    )
                )
            )
        }
    }

    @Test("a batch of one maker's orders uses the measured gas within 7 %")
    func batches() async throws {
        for (count, expected) in [(1, 125_000), (2, 176_000), (5, 330_000), (10, 585_000)] {
            try await gas(UInt64(expected), "\(count) orders") { test in
                let signed = try (0..<count).map { salt in
                    try test.limit(by: test.makers[0]) { $0.salt = UInt256(UInt64(salt)) }
                }
                return .limit(
                    .batchFill(
                        signed.map(\.order),
                        signed.map(\.signature),
                        amounts: signed.map { _ in 1_000 },
                        revertIfIncomplete: true
                    )
                )
            }
        }
    }

    @Test(
        "what a client gives a call at least is enough for the measured gas",
        arguments: [0, 70_000] as [UInt32]
    )
    func floors(_ multiplier: UInt32) async throws {
        let finite: (inout Genesis) -> Void = { genesis in
            genesis.protocolFeeMultiplier = multiplier
            genesis.allowances = genesis.allowances.map {
                GenesisAllowance(
                    token: $0.token,
                    owner: $0.owner,
                    spender: $0.spender,
                    amount: 500 * ether
                )
            }
        }
        for (makers, hasFee) in [
            ([0], false), ([0], true), ([0, 0], false), ([0, 1], false), ([0, 1, 2], true),
            ([0, 0, 1, 1, 2, 2, 0, 1], true), (Array(repeating: 0, count: 10), false),
        ] {
            let test = try TestChain(change: finite)
            let client = ZeroExV4(domain: TestChain.domain, signatureKind: .eip712)
            let contracts = ExchangeContracts(
                exchange: TestChain.exchangeProxy,
                transferContract: TestChain.exchangeProxy,
                feeToken: nil,
                protocolFeeMultiplier: multiplier
            )
            let fills = try makers.enumerated().map { index, maker in
                let signed = try test.limit(by: test.makers[maker]) {
                    $0.salt = UInt256(UInt64(index))
                    guard hasFee else { return }
                    $0.takerTokenFeeAmount = 1_000_000_000_000_000_000
                    $0.feeRecipient = TestChain.address(0xF00)
                }
                let order = SignedOrderV4(
                    terms: signed.order,
                    domain: TestChain.domain,
                    signature: signed.signature
                )
                return PlannedFill(order: order, takerAmount: 1_000)
            }
            let call = client.batchCall(fills, mode: .skipping, contracts: contracts)
            let receipt = try await test.send(
                try ExchangeCallV4(data: call.data),
                value: UInt256(20_000_000_000) * UInt256(call.protocolFeeGas),
                gas: call.gasFloor.measured
            )
            let words = "\(makers), \(hasFee): \(receipt.gasUsed) of \(call.gasFloor.measured)"
            #expect(receipt.succeeded, "\(words)")
            #expect(try receipt.nativeEvents().count == makers.count, "\(words)")
            #expect(call.gasFloor.measured * 100 <= receipt.gasUsed * 125, "\(words)")
        }
    }

    @Test("an estimate of a batch is the least gas with which all of it is filled")
    func estimate() async throws {
        let test = try TestChain()
        let signed = try (0..<3).map { try test.limit(by: test.makers[$0]) }
        let call = ExchangeCallV4.limit(
            .batchFill(
                signed.map(\.order),
                signed.map(\.signature),
                amounts: [5, 6, 7],
                revertIfIncomplete: true
            )
        )
        let request = CallRequest(
            from: test.alice.address,
            to: TestChain.exchangeProxy,
            data: call.data
        )
        let estimate = try await test.client.read(.estimateGas(request))
        let receipt = try await test.send(call, gas: estimate)
        #expect(receipt.succeeded)
        #expect(try receipt.nativeEvents().count == 3)
        let fresh = try TestChain()
        #expect(try await fresh.send(call, gas: estimate - 1).succeeded == false)
    }
}
