import DexSigning
import Ethereum
import Testing
import ZeroEx

@Suite("What something that is to be signed can do")
struct SigningEffectsTests {
    typealias Bench = SigningBench

    private func effects(_ transaction: Transaction) throws -> SigningEffects {
        try Bench().effects(.transaction(transaction))
    }

    @Test("ether that is sent goes to the one who is named, whatever is called")
    func ether() throws {
        let plain = try effects(Bench.transaction(to: Bench.bob, ether: "1.5"))
        #expect(plain.paid == [.ether: Bench.units("1.5")])
        #expect(plain.recipients == [Bench.bob])
        #expect(plain.isUnderstood)
        #expect(plain.contract == nil)
        #expect(plain.maximumFee == Wei(Bench.units("0.001")))
        let data = ERC20.transfer(to: Bench.bob, amount: 1)
        let call = try effects(Bench.transaction(to: Bench.usdc, ether: "1", data: data))
        #expect(call.recipients == [Bench.usdc, Bench.bob])
        #expect(call.paid == [.ether: Bench.units("1"), .token(Bench.usdc): 1])
    }

    @Test("nothing at all, sent to the account itself, has no recipient; ether has one")
    func nothing() throws {
        let void = try effects(Bench.transaction(to: Bench.own, ether: "0"))
        #expect(void.recipients.isEmpty && void.paid.isEmpty && void.isUnderstood)
        #expect(
            try effects(Bench.transaction(to: Bench.own, ether: "1")).recipients
                == [Bench.own]
        )
        #expect(try effects(Bench.transaction(to: Bench.bob, ether: "0")).recipients == [Bench.bob])
    }

    @Test("a transfer, an approval, a wrap and an unwrap are read from their call data")
    func tokens() throws {
        let sent = try effects(Bench.transfer(Bench.usdc, "3"))
        #expect(sent.function == "transfer")
        #expect(sent.paid == [.token(Bench.usdc): Bench.units("3")])
        #expect(sent.recipients == [Bench.bob])
        let approved = try effects(Bench.approval(Bench.zrx, .max, of: Bench.proxy))
        #expect(approved.paid.isEmpty)
        #expect(approved.approvals.map(\.spender) == [Bench.proxy])
        #expect(approved.approvals.map(\.amount) == [.max])
        let wrap = Bench.transaction(to: Bench.weth, ether: "2", data: ERC20.call("deposit()"))
        #expect(try effects(wrap).received == [Bench.weth])
        #expect(try effects(wrap).recipients.isEmpty)
        #expect(try effects(wrap).isUnderstood)
        let unwrap = try effects(
            Bench.transaction(
                to: Bench.weth,
                data: ERC20.call("withdraw(uint256)", UInt256(5).word)
            )
        )
        #expect(unwrap.paid == [.token(Bench.weth): 5])
        #expect(unwrap.isUnderstood)
    }

    @Test("deposit and withdraw mean nothing but for wrapped ether")
    func foreignDeposits() throws {
        let calls = [
            ERC20.call("deposit()"), ERC20.call("withdraw(uint256)", UInt256(5).word),
        ]
        for data in calls {
            let foreign = try effects(Bench.transaction(to: Bench.bob, ether: "1", data: data))
            #expect(!foreign.isUnderstood)
            #expect(foreign.contract == Bench.bob)
            #expect(foreign.recipients == [Bench.bob])
            var bench = try Bench()
            bench.weth = nil
            let none = bench.effects(
                .transaction(Bench.transaction(to: Bench.weth, ether: "1", data: data))
            )
            #expect(!none.isUnderstood)
        }
    }

    @Test("every other call, and one that is not written plainly, is not understood")
    func unknown() throws {
        let transfer = ERC20.transfer(to: Bench.bob, amount: 1)
        var dirty = transfer
        dirty[4] = 1
        let calls: [[UInt8]] = [
            [1], [1, 2, 3], [1, 2, 3, 4], Array(transfer.dropLast()), transfer + [0],
            transfer + [UInt8](repeating: 0, count: 32), dirty,
            ERC20.call("setApprovalForAll(address,bool)", Bench.bob.word, UInt256(1).word),
            ERC20.call("authorizeOperator(address)", Bench.bob.word),
        ]
        for data in calls {
            let effects = try effects(Bench.transaction(to: Bench.usdc, data: data))
            #expect(!effects.isUnderstood, "\(data)")
            #expect(effects.contract == Bench.usdc)
        }
        let creation = try effects(Bench.transaction(to: nil, data: [0x60]))
        #expect(!creation.isUnderstood)
        #expect(creation.contract == nil)
        let exchange = try effects(Bench.transaction(to: Bench.exchange, data: [1, 2, 3, 4]))
        #expect(!exchange.isUnderstood)
        #expect(exchange.contract == Bench.exchange)
    }

    @Test("what is drawn is the account's only where it is the owner")
    func drawing() throws {
        func drawn(from owner: Address) throws -> SigningEffects {
            let data = ERC20.call(
                "transferFrom(address,address,uint256)",
                owner.word,
                Bench.bob.word,
                UInt256(7).word
            )
            return try effects(Bench.transaction(to: Bench.usdc, data: data))
        }
        let own = try drawn(from: Bench.own)
        #expect(own.paid == [.token(Bench.usdc): 7])
        #expect(own.recipients == [Bench.bob])
        let other = try drawn(from: Bench.exchange)
        #expect(other.paid.isEmpty && other.recipients.isEmpty && other.isUnderstood)
    }

    @Test("a fill pays what it says, never more than the order, and its part of the fee")
    func fill() throws {
        let part = try effects(Bench.fill(Bench.order(), "0.25"))
        #expect(part.function == "fillOrder")
        #expect(part.contract == Bench.exchange)
        #expect(
            part.paid == [
                .token(Bench.weth): Bench.units("0.25"), .token(Bench.zrx): Bench.units("0.5"),
            ]
        )
        #expect(part.received == [Bench.zrx])
        let all = try effects(Bench.fill(Bench.order(), "7"))
        #expect(all.paid[.token(Bench.weth)] == Bench.units("1"))
        #expect(all.paid[.token(Bench.zrx)] == Bench.units("2"))
        // Nobody gets the fee, so nobody takes it.
        let free = try effects(Bench.fill(Bench.order(to: .zero), "1"))
        #expect(free.paid == [.token(Bench.weth): Bench.units("1")])
    }

    @Test("a fill of many orders pays their sum, and one up to a total not more than that")
    func batches() throws {
        let orders = [Bench.order("1"), Bench.order("3")]
        let signatures = ExchangeCallV1.Signatures(
            v: [27, 27],
            r: [UInt256(1).word, UInt256(1).word],
            s: [UInt256(1).word, UInt256(1).word]
        )
        let batch = ExchangeCallV1.batchFillOrders(
            .init(orders),
            fills: [Bench.units("0.5"), Bench.units("2")],
            shouldThrow: false,
            signatures
        )
        let sum = try effects(Bench.transaction(to: Bench.exchange, data: batch.data))
        #expect(sum.paid[.token(Bench.weth)] == Bench.units("2.5"))
        let total = ExchangeCallV1.fillOrdersUpTo(
            .init(orders),
            fill: Bench.units("1.5"),
            shouldThrow: false,
            signatures
        )
        let capped = try effects(Bench.transaction(to: Bench.exchange, data: total.data))
        #expect(capped.paid[.token(Bench.weth)] == Bench.units("1.5"))
        let uneven = ExchangeCallV1.batchFillOrders(
            .init(orders),
            fills: [1],
            shouldThrow: false,
            signatures
        )
        let unknown = try effects(Bench.transaction(to: Bench.exchange, data: uneven.data))
        #expect(!unknown.isUnderstood)
    }

    @Test("sums beyond 256 bits stay at the greatest number")
    func overflow() throws {
        var order = Bench.order(fee: "0")
        order.takerAmount = .max
        order.fees = .none
        let batch = ExchangeCallV1.batchFillOrKillOrders(
            .init([order, order]),
            fills: [.max, .max],
            .init(v: [27, 27], r: [.zero, .zero], s: [.zero, .zero])
        )
        let effects = try effects(Bench.transaction(to: Bench.exchange, data: batch.data))
        #expect(effects.paid == [.token(Bench.weth): .max])
        var expensive = Bench.transaction(to: Bench.bob)
        expensive.fee = .legacy(gasPrice: Wei(.max))
        #expect(try self.effects(expensive).maximumFee == Wei(.max))
    }

    @Test("a cancel pays nothing")
    func cancel() throws {
        let order = Bench.order()
        let call = ExchangeCallV1.cancelOrder(
            OrderAddressesV1(order),
            OrderValuesV1(order),
            cancel: .max
        )
        let effects = try effects(Bench.transaction(to: Bench.exchange, data: call.data))
        #expect(effects.function == "cancelOrder")
        #expect(effects.paid.isEmpty && effects.received.isEmpty)
        #expect(effects.isUnderstood)
    }

    @Test("an order of our own pays its maker amount and fee, and only on the network's exchange")
    func order() throws {
        var bench = try Bench()
        let order = bench.effects(.order(Bench.ownOrder(fee: "0.5")))
        #expect(order.paid == [.token(Bench.zrx): Bench.units("5.5")])
        #expect(order.received == [Bench.weth])
        #expect(order.maximumFee == nil)
        #expect(order.isUnderstood)
        var foreign = Bench.ownOrder()
        foreign.exchange = Bench.bob
        #expect(!bench.effects(.order(foreign)).isUnderstood)
        bench.feeToken = nil
        #expect(bench.effects(.order(Bench.ownOrder(fee: "0.5"))).hasUnknownFee)
        #expect(!bench.effects(.order(Bench.ownOrder())).hasUnknownFee)
    }

    @Test("a message does nothing")
    func message() throws {
        let effects = try Bench().effects(.message([1, 2, 3]))
        #expect(effects.paid.isEmpty && effects.maximumFee == nil && effects.isUnderstood)
    }
}
