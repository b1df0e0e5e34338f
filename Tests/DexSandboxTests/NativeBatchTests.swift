import EVM
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexSandbox

@Suite("v4 batches, fees and odd tokens")
struct NativeBatchTests {
    typealias Revert = ExchangeRevertV4

    private func batch(
        _ signed: [TestChain.Signed<LimitOrderV4>],
        _ amounts: [UInt128],
        revertIfIncomplete: Bool = false
    ) -> ExchangeCallV4 {
        .limit(
            .batchFill(
                signed.map(\.order),
                signed.map(\.signature),
                amounts: amounts,
                revertIfIncomplete: revertIfIncomplete
            )
        )
    }

    @Test("a batch passes over what fails, and takes back all that the failed order did")
    func skips() async throws {
        let test = try TestChain()
        let poor = test.makers[1]
        try await test.send(
            from: poor,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: 1_000 * ether)
        )
        let signed = [
            try test.limit(by: test.makers[0]),
            try test.limit(by: poor),
            try test.limit(by: test.makers[2]) { $0.taker = test.bob.address },
            try test.limit(by: test.makers[3]) { $0.expiry = 5 },
            try test.limit(by: test.makers[4], signedBy: test.bob),
            try test.limit(by: test.makers[5]),
        ]
        let amounts: [UInt128] = [10, 20, 30, 40, 50, 60]
        let wethBefore = try await test.balance(TestChain.weth, test.alice.address)
        let call = batch(signed, amounts)
        let fills = [(10, 5), (0, 0), (0, 0), (0, 0), (0, 0), (60, 30)] as [(UInt128, UInt128)]
        #expect(
            try await test.ask(call)
                == .batchFill(fills.map { FillAmountsV4(taker: $0.0, maker: $0.1) })
        )
        let receipt = try await test.send(call)
        #expect(receipt.succeeded)
        #expect(try receipt.nativeEvents().count == 2)
        // The taker's token went to the poor maker and came back.
        #expect(try await test.balance(TestChain.weth, test.alice.address) == wethBefore - 70)
        #expect(try await test.info(signed[1].order).filled == 0)
        #expect(
            await test.refusal(batch(signed, amounts, revertIfIncomplete: true))
                == Revert.batchFillIncomplete(signed[1].hash, filled: 0, wanted: 20).data
        )
        // Asked for nothing, nothing is missing.
        #expect(
            try await test.ask(
                batch(Array(signed[3...3]), [0], revertIfIncomplete: true)
            ) == .batchFill([FillAmountsV4(taker: 0, maker: 0)])
        )
        // The same order twice is filled twice, as far as it goes.
        let maximum = signed[5].order.takerAmount
        let twice = try await test.ask(batch([signed[5], signed[5]], [maximum - 100, .max]))
        guard case .batchFill(let both) = twice else {
            Issue.record("no fills")
            return
        }
        #expect(both.map(\.taker) == [maximum - 100, 40])
    }

    @Test("batches of RFQ orders and of cancels do the same; the lengths must fit")
    func otherBatches() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let signed = try [1, 2].map { salt in try test.rfq(by: maker) { $0.salt = salt } }
        let orders = signed.map(\.order)
        let signatures = signed.map(\.signature)
        #expect(
            try await test.ask(
                .rfq(
                    .batchFill(
                        orders,
                        signatures,
                        amounts: [2, 4],
                        revertIfIncomplete: true
                    )
                )
            ) == .batchFill([FillAmountsV4(taker: 2, maker: 1), FillAmountsV4(taker: 4, maker: 2)])
        )
        let cancels = try await test.send(.rfq(.batchCancel(orders)), from: maker)
        #expect(
            try cancels.nativeEvents()
                == signed.map { .orderCancelled($0.hash, maker: maker.address) }
        )
        #expect(
            await test.refusal(
                .rfq(
                    .batchFill(orders, signatures, amounts: [2, 4], revertIfIncomplete: true)
                )
            ) == Revert.batchFillIncomplete(signed[0].hash, filled: 0, wanted: 2).data
        )
        let foreign = try await test.send(.rfq(.batchCancel(orders)), from: test.alice)
        #expect(!foreign.succeeded)
        let pairs = try await test.send(
            .rfq(
                .batchCancelPair(
                    makerTokens: [TestChain.dai, TestChain.zrx],
                    takerTokens: [TestChain.weth, TestChain.weth],
                    minValidSalts: [7, 8]
                )
            ),
            from: maker
        )
        #expect(try pairs.nativeEvents().count == 2)
        #expect(
            await test.refusal(
                .limit(.batchFill([], signatures, amounts: [], revertIfIncomplete: false))
            )
                == Revert.words(
                    "BatchFillNativeOrdersFeature::batchFillLimitOrders/MISMATCHED_ARRAY_LENGTHS"
                ).data
        )
        #expect(
            await test.refusal(
                .rfq(.batchFill(orders, signatures, amounts: [1], revertIfIncomplete: false))
            )
                == Revert.words(
                    "BatchFillNativeOrdersFeature::batchFillRfqOrders/MISMATCHED_ARRAY_LENGTHS"
                ).data
        )
        #expect(
            await test.refusal(.rfq(.batchRelevantStates(orders, [])))
                == Revert.words("NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS").data
        )
        for salts in [[], [1, 2]] as [[UInt256]] {
            #expect(
                await test.refusal(
                    .limit(
                        .batchCancelPair(
                            makerTokens: [TestChain.dai],
                            takerTokens: [TestChain.weth],
                            minValidSalts: salts
                        )
                    )
                )
                    == Revert.words("NativeOrdersFeature/MISMATCHED_PAIR_ORDERS_ARRAY_LENGTHS")
                    .data
            )
        }
        #expect(
            try await test.ask(
                .rfq(.batchFill([], [], amounts: [], revertIfIncomplete: true))
            ) == .batchFill([])
        )
    }

    @Test("the protocol fee is the multiple of the gas price, and the surplus comes back")
    func protocolFee() async throws {
        let test = try TestChain { $0.protocolFeeMultiplier = 70_000 }
        #expect(
            try await test.ask(.getProtocolFeeMultiplier) == .protocolFeeMultiplier(70_000)
        )
        let signed = try (0..<3).map { try test.limit(by: test.makers[$0]) }
        let single = ExchangeCallV4.limit(
            .fill(signed[0].order, signed[0].signature, amount: 100)
        )
        let before = try await test.etherBalance(test.alice.address)
        let receipt = try await test.send(single, value: ether)
        #expect(receipt.succeeded)
        let price = try #require(receipt.effectiveGasPrice).rawValue
        let fee = 70_000 * price
        guard case .limitOrderFilled(_, let fees)? = try receipt.nativeEvents().first else {
            Issue.record("no event")
            return
        }
        #expect(fees.protocolFee == fee)
        #expect(
            try await test.etherBalance(test.alice.address)
                == before - fee - UInt256(receipt.gasUsed) * price
        )
        #expect(try await test.etherBalance(TestChain.exchangeProxy) == 0)
        // Too little reverts; in a batch each filled order pays, and what is not paid is skipped.
        #expect(try await test.send(single, value: 1_000).succeeded == false)
        let unpaid = try await test.send(batch(signed, [10, 20, 30]), value: fee * 5 / 2)
        #expect(unpaid.succeeded)
        let paidPrice = try #require(unpaid.effectiveGasPrice).rawValue
        let affordable = min((fee * 5 / 2) / (70_000 * paidPrice), 3)
        #expect(UInt256(UInt64(try unpaid.nativeEvents().count)) == affordable)
        #expect(affordable == 2)
        #expect(try await test.etherBalance(TestChain.exchangeProxy) == 0)
        #expect(
            try await test.send(
                batch(signed, [10, 20, 30], revertIfIncomplete: true),
                value: fee * 5 / 2
            ).succeeded == false
        )
        // RFQ orders cost nothing and take no ether.
        let rfq = try test.rfq(by: test.makers[0])
        let rfqFill = ExchangeCallV4.rfq(.fill(rfq.order, rfq.signature, amount: 100))
        #expect(try await test.send(rfqFill).succeeded)
        #expect(await test.refusal(rfqFill, value: 1) == [])
    }

    @Test("a fee that cannot be paid is told in the contract's words, spelled as there")
    func unpaidFee() throws {
        let genesis = NativeOrderVectors.genesis(
            chainID: 1337,
            exchange: TestChain.exchangeProxy,
            tokens: [TestChain.dai, TestChain.weth],
            owners: [try TestChain.signer(1).address, try TestChain.signer(10).address]
        )
        var charged = genesis
        charged.protocolFeeMultiplier = 70_000
        let test = try TestChain()
        let signed = try test.limit(by: test.makers[0])
        let call = ExchangeCallV4.limit(.fill(signed.order, signed.signature, amount: 10))
        let stage = try ContractStage(charged)
        func run(gasPrice: UInt256) throws -> Execution.Outcome {
            try stage.call(
                from: test.alice.address,
                to: TestChain.exchangeProxy,
                call.data,
                gasPrice: gasPrice
            )
        }
        let words = Revert.words("FixinProtocolFees/ETHER_TRANSFER_FALIED").data
        #expect(try run(gasPrice: 7).revert == words)
        // Without a price, as calls have it, the fee is nothing.
        #expect(try run(gasPrice: 0).ending == .succeeded)
    }

    @Test("with a multiplier of zero all ether comes back, but not to who cannot take it")
    func refunds() async throws {
        let test = try TestChain { genesis in
            genesis.accounts.append(GenesisAccount(address: TestChain.dai, ether: Wei(7)))
        }
        let signed = try test.limit(by: test.makers[0])
        let call = ExchangeCallV4.limit(.fill(signed.order, signed.signature, amount: 10))
        let before = try await test.etherBalance(test.alice.address)
        let receipt = try await test.send(call, value: 5 * ether)
        #expect(receipt.succeeded)
        let price = try #require(receipt.effectiveGasPrice).rawValue
        let cost = UInt256(receipt.gasUsed) * price
        #expect(try await test.etherBalance(test.alice.address) == before - cost)
        // Plain ether stays with the exchange, as it does on the real one.
        try await test.send(from: test.alice, to: TestChain.exchangeProxy, value: 3)
        #expect(try await test.etherBalance(TestChain.exchangeProxy) == 3)
        // Wrapped ether takes ether back; another token refuses it.
        let nothing = ExchangeCallV4.limit(
            .batchFill([], [], amounts: [], revertIfIncomplete: true)
        )
        func paid(by token: Address) -> CallRequest {
            CallRequest(
                from: token,
                to: TestChain.exchangeProxy,
                data: nothing.data,
                value: Wei(7)
            )
        }
        #expect(try await test.client.call(paid(by: TestChain.weth)).count == 128)
        let stuck = await chainError {
            _ = try await test.client.call(paid(by: TestChain.dai))
        }
        guard case .reverted(let data, _)? = stuck else {
            Issue.record("\(String(describing: stuck))")
            return
        }
        #expect(
            data == Revert.protocolFeeRefundFailed(receiver: TestChain.dai, amount: 7).data
        )
    }

    @Test("tokens without return data are taken, an answer of false is what the call reverts with")
    func oddTokens() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        // USDT answers nothing.
        let usdt = try test.limit(by: maker) { $0.takerToken = TestChain.usdt }
        #expect(
            try await test.send(
                .limit(.fill(usdt.order, usdt.signature, amount: 100))
            ).succeeded
        )
        // ZRX answers false where funds are short.
        let zrx = try test.limit(by: maker) {
            $0.makerToken = TestChain.zrx
            $0.makerAmount = 2_000_000_000_000_000_000_000
        }
        #expect(
            await test.refusal(.limit(.fill(zrx.order, zrx.signature, amount: .max)))
                == Bytes32.zero.bytes
        )
        // Others revert without data, and USDT burns all that it was given.
        let dai = try test.limit(by: maker) { $0.makerAmount = 2_000_000_000_000_000_000_000 }
        #expect(await test.refusal(.limit(.fill(dai.order, dai.signature, amount: .max))) == [])
        let burning = try test.limit(by: maker) {
            $0.makerToken = TestChain.usdt
            $0.makerAmount = 2_000_000_000_000_000_000_000
        }
        #expect(
            await test.refusal(.limit(.fill(burning.order, burning.signature, amount: .max)))
                == []
        )
        // A token that is no contract moves nothing and is believed.
        let nobody = try test.limit(by: maker) { $0.makerToken = TestChain.address(77) }
        #expect(
            try await test.ask(.limit(.fill(nobody.order, nobody.signature, amount: 100)))
                == .fill(FillAmountsV4(taker: 100, maker: 50))
        )
        // The exchange itself is no token, and v1's is none either.
        let own = try test.limit(by: maker) { $0.makerToken = TestChain.exchangeProxy }
        #expect(
            await test.refusal(.limit(.fill(own.order, own.signature, amount: 100)))
                == Revert.words("FixinTokenSpender/CANNOT_INVOKE_SELF").data
        )
        let v1 = try test.limit(by: maker) { $0.makerToken = TestChain.exchange }
        #expect(await test.refusal(.limit(.fill(v1.order, v1.signature, amount: 100))) == [])
    }
}
