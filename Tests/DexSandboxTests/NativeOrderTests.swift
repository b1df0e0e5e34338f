import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@Suite("v4 orders beyond the vectors")
struct NativeOrderTests {
    typealias Revert = ExchangeRevertV4

    private func fill(
        _ signed: TestChain.Signed<LimitOrderV4>,
        _ amount: UInt128 = 100
    ) -> ExchangeCallV4 {
        .limit(.fill(signed.order, signed.signature, amount: amount))
    }

    private func fill(
        _ signed: TestChain.Signed<RfqOrderV4>,
        _ amount: UInt128 = 100
    ) -> ExchangeCallV4 {
        .rfq(.fill(signed.order, signed.signature, amount: amount))
    }

    @Test("a status is decided as filled, cancelled, expired, cancelled by pair, fillable")
    func statuses() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let signed = try test.limit(by: maker) { $0.salt = 5 }
        func status() async throws -> OrderStatusV4 { try await test.info(signed.order).status }
        #expect(try await status() == .fillable)
        func cancelPair(_ salt: UInt256) -> ExchangeCallV4 {
            .limit(
                .cancelPair(
                    PairCancelV4(
                        makerToken: TestChain.dai,
                        takerToken: TestChain.weth,
                        minValidSalt: salt
                    )
                )
            )
        }
        // The same salt stays valid, and the least salt never goes down.
        try await test.send(cancelPair(5), from: maker)
        #expect(try await status() == .fillable)
        try await test.send(cancelPair(6), from: maker)
        #expect(try await status() == .cancelled)
        try await test.send(cancelPair(6), from: maker)
        #expect(
            await test.refusal(cancelPair(4), from: maker)
                == Revert.cancelSaltTooLow(minValidSalt: 4, oldMinValidSalt: 6).data
        )
        #expect(
            await test.refusal(fill(signed))
                == Revert.orderNotFillable(signed.hash, status: 3).data
        )
        // The time goes before the pair's cancel, the order's own cancel before the time.
        try await test.chain.increaseTime(by: 200_000)
        #expect(try await status() == .expired)
        try await test.send(.limit(.cancel(signed.order)), from: maker)
        #expect(try await status() == .cancelled)

        // A filled order stays filled; its cancel emits all the same.
        let other = try test.limit(by: maker) {
            $0.expiry = TestChain.start + 10_000_000
            $0.salt = 9
        }
        try await test.send(fill(other, .max))
        let receipt = try await test.send(.limit(.cancel(other.order)), from: maker)
        #expect(
            try receipt.nativeEvents() == [.orderCancelled(other.hash, maker: maker.address)]
        )
        #expect(
            try await test.info(other.order)
                == OrderInfoV4(
                    orderHash: other.hash,
                    status: .filled,
                    filled: other.order.takerAmount
                )
        )
        // An order for nothing is filled from the start.
        let empty = try test.limit(by: maker) { $0.takerAmount = 0 }
        #expect(try await test.info(empty.order).status == .filled)
    }

    @Test("an order is expired at its second, not before")
    func expiry() async throws {
        let test = try TestChain()
        let next = TestChain.start + 100
        for (expiry, status) in [(next, OrderStatusV4.expired), (next + 1, .fillable)] {
            let signed = try test.limit(by: test.makers[0]) { $0.expiry = expiry }
            #expect(try await test.info(signed.order).status == status)
        }
    }

    @Test("an order for another taker, sender or origin is refused with both addresses")
    func parties() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let alice = test.alice.address
        let bob = test.bob.address
        let forBob = try test.limit(by: maker) {
            $0.taker = bob
            $0.sender = bob
        }
        #expect(
            await test.refusal(fill(forBob))
                == Revert.orderNotFillableByTaker(forBob.hash, taker: alice, orderTaker: bob).data
        )
        #expect(try await test.send(fill(forBob), from: test.bob).succeeded)
        let byBob = try test.limit(by: maker) { $0.sender = bob }
        #expect(
            await test.refusal(fill(byBob))
                == Revert.orderNotFillableBySender(byBob.hash, sender: alice, orderSender: bob).data
        )
        // The origin is looked at before the taker.
        let fromBob = try test.rfq(by: maker) {
            $0.txOrigin = bob
            $0.taker = bob
        }
        #expect(
            await test.refusal(fill(fromBob))
                == Revert.orderNotFillableByOrigin(
                    fromBob.hash,
                    txOrigin: alice,
                    orderTxOrigin: bob
                ).data
        )
        let allow = ExchangeCallV4.registerAllowedRfqOrigins([alice, maker.address], allowed: true)
        let receipt = try await test.send(allow, from: test.bob)
        #expect(
            try receipt.nativeEvents() == [
                .rfqOrderOriginsAllowed(origin: bob, [alice, maker.address], allowed: true)
            ]
        )
        #expect(
            await test.refusal(fill(fromBob))
                == Revert.orderNotFillableByTaker(fromBob.hash, taker: alice, orderTaker: bob).data
        )
        let open = try test.rfq(by: maker) { $0.txOrigin = bob }
        #expect(try await test.ask(fill(open)) == .fill(FillAmountsV4(taker: 100, maker: 50)))
        try await test.send(
            .registerAllowedRfqOrigins([alice], allowed: false),
            from: test.bob
        )
        #expect(
            await test.refusal(fill(open))
                == Revert.orderNotFillableByOrigin(open.hash, txOrigin: alice, orderTxOrigin: bob)
                .data
        )
        let noOrigin = try test.rfq(by: maker) { $0.txOrigin = .zero }
        #expect(
            await test.refusal(fill(noOrigin))
                == Revert.orderNotFillable(noOrigin.hash, status: 0).data
        )
        // It is invalid whatever else holds.
        try await test.send(.rfq(.cancel(noOrigin.order)), from: maker)
        #expect(
            try await test.ask(.rfq(.info(noOrigin.order)))
                == .info(OrderInfoV4(orderHash: noOrigin.hash, status: .invalid, filled: 0))
        )
    }

    @Test("a wrong signer is named, a malformed signature has its code, an unknown type no data")
    func signatures() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let forged = try test.limit(by: maker, signedBy: test.bob)
        #expect(
            await test.refusal(fill(forged))
                == Revert.orderNotSignedByMaker(
                    forged.hash,
                    signer: test.bob.address,
                    maker: maker.address
                ).data
        )
        #expect(
            try await test.ask(.limit(.relevantState(forged.order, forged.signature)))
                == .relevantState(
                    OrderRelevantStateV4(
                        info: OrderInfoV4(orderHash: forged.hash, status: .fillable, filled: 0),
                        fillable: forged.order.takerAmount,
                        isSignatureValid: false
                    )
                )
        )
        let good = try test.limit(by: maker, kind: .ethSign)
        #expect(try await test.ask(fill(good)) == .fill(FillAmountsV4(taker: 100, maker: 50)))
        let groupOrder: UInt256 =
            0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141
        var highS = good.signature
        highS.s = (groupOrder - UInt256(highS.s)).word
        highS.v = 55 - highS.v
        let changes: [(UInt8?, (inout SignatureV4) -> Void)] = [
            (3, { $0.type = 0 }),
            (0, { $0.type = 1 }),
            (2, { $0.type = 4 }),
            (nil, { $0.type = 5 }),
            (nil, { $0.type = 255 }),
            (5, { $0.v = 0 }),
            (5, { $0.v = 29 }),
            (5, { $0.r = .zero }),
            (5, { $0.s = .zero }),
            (5, { $0.r = groupOrder.word }),
            (5, { $0 = highS }),
            // The ranges are looked at before the type.
            (
                5,
                {
                    $0 = highS; $0.type = 0
                }
            ),
            (
                5,
                {
                    $0.r = groupOrder.word; $0.type = 4
                }
            ),
            (
                nil,
                {
                    $0 = highS; $0.type = 9
                }
            ),
            // The type is looked at before v.
            (
                0,
                {
                    $0.v = 99; $0.type = 1
                }
            ),
        ]
        for (index, (code, change)) in changes.enumerated() {
            var signature = good.signature
            change(&signature)
            let wanted =
                code.map { Revert.signatureValidation(code: $0, good.hash.word).data } ?? []
            for call: OrderCallV4<LimitOrderV4> in [
                .fill(good.order, signature, amount: 1),
                .fillOrKill(good.order, signature, amount: 1),
                .relevantState(good.order, signature),
            ] {
                #expect(await test.refusal(.limit(call)) == wanted, "\(index)")
            }
            let batch = ExchangeCallV4.limit(
                .batchRelevantStates([good.order, good.order], [signature, good.signature])
            )
            guard code != nil else {
                #expect(await test.refusal(batch) == [])
                continue
            }
            guard case .batchRelevantStates(let states) = try await test.ask(batch) else {
                Issue.record("no states")
                continue
            }
            #expect(states[0].info.orderHash == OrderHash(.zero))
            #expect(states[0].info.status == .invalid)
            #expect(states[1].info.orderHash == good.hash)
            #expect(states[1].isSignatureValid)
        }
    }

    @Test("a registered signer signs and cancels for the maker until it is taken back")
    func registeredSigners() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let bob = test.bob.address
        let signed = try test.limit(by: maker, signedBy: test.bob)
        let pair = PairCancelV4(
            makerToken: TestChain.dai,
            takerToken: TestChain.weth,
            minValidSalt: 1
        )
        let cancelPair = ExchangeCallV4.limit(
            .cancelPairWithSigner(maker: maker.address, pair)
        )
        let cancelRfqPair = ExchangeCallV4.rfq(.cancelPairWithSigner(maker: maker.address, pair))
        let refused = Revert.invalidSigner(maker: maker.address, signer: bob).data
        #expect(await test.refusal(cancelPair, from: test.bob) == refused)
        #expect(await test.refusal(cancelRfqPair, from: test.bob) == refused)
        // Not even the maker is a signer by itself.
        #expect(
            await test.refusal(cancelPair, from: maker)
                == Revert.invalidSigner(maker: maker.address, signer: maker.address).data
        )
        #expect(
            await test.refusal(.limit(.cancel(signed.order)), from: test.bob)
                == Revert.onlyOrderMakerAllowed(signed.hash, sender: bob, maker: maker.address).data
        )
        let register = try await test.send(
            .registerAllowedOrderSigner(bob, allowed: true),
            from: maker
        )
        #expect(
            try register.nativeEvents() == [
                .orderSignerRegistered(maker: maker.address, signer: bob, allowed: true)
            ]
        )
        let question = ExchangeCallV4.isValidOrderSigner(maker: maker.address, signer: bob)
        #expect(try await test.ask(question) == .isValidOrderSigner(true))
        #expect(
            try await test.ask(.isValidOrderSigner(maker: bob, signer: maker.address))
                == .isValidOrderSigner(false)
        )
        #expect(try await test.send(fill(signed)).succeeded)
        let cancelled = try await test.send(cancelPair, from: test.bob)
        #expect(
            try cancelled.nativeEvents() == [
                .pairCancelledLimitOrders(maker: maker.address, pair)
            ]
        )
        #expect(
            try await test.send(cancelRfqPair, from: test.bob).nativeEvents() == [
                .pairCancelledRfqOrders(maker: maker.address, pair)
            ]
        )
        let single = try await test.send(.limit(.cancel(signed.order)), from: test.bob)
        #expect(
            try single.nativeEvents() == [.orderCancelled(signed.hash, maker: maker.address)]
        )
        try await test.send(.registerAllowedOrderSigner(bob, allowed: false), from: maker)
        #expect(try await test.ask(question) == .isValidOrderSigner(false))
    }

    @Test("a fill that comes to nothing succeeds, moves nothing, and emits zeros")
    func zeroFills() async throws {
        let test = try TestChain()
        let maker = test.makers[0]
        let before = try await test.balance(TestChain.dai, test.alice.address)
        let usual = try test.limit(by: maker)
        let forNothing = try test.limit(by: maker) { $0.makerAmount = 0 }
        // Half a unit of maker token is none.
        let cases: [(TestChain.Signed<LimitOrderV4>, UInt128)] = [
            (usual, 0), (usual, 1), (forNothing, .max),
        ]
        for (signed, amount) in cases {
            let receipt = try await test.send(fill(signed, amount))
            #expect(receipt.succeeded)
            guard case .limitOrderFilled(let filled, _)? = try receipt.nativeEvents().first else {
                Issue.record("no event")
                continue
            }
            #expect(filled.amounts == FillAmountsV4(taker: 0, maker: 0))
            #expect(receipt.logs.count == 1)
            #expect(try await test.info(signed.order).filled == 0)
        }
        #expect(try await test.balance(TestChain.dai, test.alice.address) == before)
        #expect(
            await test.refusal(.limit(.fillOrKill(usual.order, usual.signature, amount: 1)))
                == Revert.fillOrKillFailed(usual.hash, filled: 0, wanted: 1).data
        )
        // A fee is tried even so; to nobody it fails with tokens that refuse that.
        let withFee = try test.limit(by: maker) { $0.takerTokenFeeAmount = 5 }
        let receipt = try await test.send(fill(withFee, 0))
        #expect(receipt.succeeded)
        #expect(receipt.logs.count == 2)
    }

    @Test("more than is left is filled as far as it goes, and all or nothing reverts")
    func overfill() async throws {
        let test = try TestChain()
        let signed = try test.limit(by: test.makers[0]) {
            $0.makerAmount = 1_000
            $0.takerAmount = 3_000
        }
        try await test.send(fill(signed, 100))
        // Rounded down to 966 maker token and up again.
        guard
            case .relevantState(let state) = try await test.ask(
                .limit(.relevantState(signed.order, signed.signature))
            )
        else {
            Issue.record("no state")
            return
        }
        #expect(state.fillable == 2_898)
        #expect(state.info.filled == 100)
        let tooMuch = ExchangeCallV4.limit(
            .fillOrKill(signed.order, signed.signature, amount: 2_901)
        )
        #expect(
            await test.refusal(tooMuch)
                == Revert.fillOrKillFailed(signed.hash, filled: 2_900, wanted: 2_901).data
        )
        let exact = ExchangeCallV4.limit(
            .fillOrKill(signed.order, signed.signature, amount: 2_900)
        )
        #expect(try await test.ask(exact) == .fillOrKill(966))
        #expect(
            try await test.ask(fill(signed, .max))
                == .fill(FillAmountsV4(taker: 2_900, maker: 966))
        )
    }

    @Test("what can be filled follows the lesser of the maker's balance and allowance")
    func fillable() async throws {
        let test = try TestChain { genesis in
            genesis.balances.removeAll { $0.token == TestChain.dai }
            genesis.balances.append(
                GenesisBalance(
                    token: TestChain.dai,
                    owner: (try? TestChain.signer(10))?.address ?? .zero,
                    amount: 4 * ether
                )
            )
        }
        let signed = try test.limit(by: test.makers[0])
        let state = ExchangeCallV4.limit(.relevantState(signed.order, signed.signature))
        func fillable() async throws -> UInt128? {
            guard case .relevantState(let state) = try await test.ask(state) else { return nil }
            return state.fillable
        }
        #expect(try await fillable() == 8_000_000_000_000_000_000)
        try await test.send(
            from: test.makers[0],
            to: TestChain.dai,
            data: ERC20.approve(spender: TestChain.exchangeProxy, amount: 3)
        )
        #expect(try await fillable() == 6)
        // A token that is no contract fails the question, and leaves zeros in a batch.
        let odd = try test.limit(by: test.makers[0]) { $0.makerToken = TestChain.address(9) }
        #expect(
            await test.refusal(.limit(.relevantState(odd.order, odd.signature))) == []
        )
        guard
            case .batchRelevantStates(let states) = try await test.ask(
                .limit(
                    .batchRelevantStates(
                        [odd.order, signed.order],
                        [odd.signature, signed.signature]
                    )
                )
            )
        else {
            Issue.record("no states")
            return
        }
        #expect(states.map(\.fillable) == [0, 6])
        #expect(states.map(\.info.orderHash) == [OrderHash(.zero), signed.hash])
        let nothing = try test.limit(by: test.makers[0]) { $0.makerAmount = 0 }
        guard
            case .relevantState(let empty) = try await test.ask(
                .limit(.relevantState(nothing.order, nothing.signature))
            )
        else {
            Issue.record("no state")
            return
        }
        #expect(empty.fillable == 0)
        #expect(empty.info.status == .fillable)
    }
}
