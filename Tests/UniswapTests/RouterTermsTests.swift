import Ethereum
import Testing

@testable import Uniswap

@Suite("Terms of a call of the router")
struct RouterTermsTests {
    private static let samples: [Sample] = {
        let names = [
            "multicall with deadline, one swap", "split exact in: v3 + v3 + v2",
            "split exact out: direct and by a path", "native in, exact out split, refundETH",
            "native out, exact out path",
        ]
        return names.compactMap { name in
            guard let call = try? ContractVectors.call(name).routerCall(),
                let terms = try? RouterTerms(of: call, account: RouterTerms.trader)
            else { return nil }
            return Sample(call: call, terms: terms)
        }
    }()

    struct Sample {
        var call: RouterCall
        var terms: RouterTerms
    }

    private func refuses(
        _ index: Int,
        _ fault: RouterFault,
        _ change: (inout Sample) throws -> Void
    ) throws {
        var sample = Self.samples[index]
        try sample.call.check(sample.terms)
        try change(&sample)
        #expect(throws: fault) { try sample.call.check(sample.terms) }
    }

    @Test("amounts: one unit over the most, one under the least, zero, or beyond 256 bits")
    func amounts() throws {
        #expect(Self.samples.count == 5)
        for index in 0..<5 {
            let sample = Self.samples[index]
            let maximum = sample.terms.maximum
            let minimum = sample.terms.minimum
            try refuses(index, .aboveMaximum(maximum, maximum: maximum - 1)) {
                $0.terms.maximum -= 1
            }
            try refuses(index, .belowMinimum(minimum, minimum: minimum + 1)) {
                $0.terms.minimum += 1
            }
            try refuses(index, .zeroBound) { $0.call.swaps[0].bound = 0 }
            let zero: PoolAmount = sample.call.swaps[0].isExactIn ? .exactIn(0) : .exactOut(0)
            try refuses(index, .zeroAmount) { $0.call.swaps[0].amount = zero }
            try refuses(index, .noSwaps) { $0.call.swaps = [] }
        }
        for index in 1...3 {
            try refuses(index, .tooMuch) { sample in
                for place in sample.call.swaps.indices { sample.call.swaps[place].bound = .max }
                if sample.call.swaps[0].isExactIn {
                    sample.call.swaps[0].amount = .exactIn(.max)
                }
            }
        }
    }

    @Test("sums, not parts, are within the terms: one leg may give less than another")
    func sums() throws {
        var sample = Self.samples[1]
        sample.call.swaps[0].amount = .exactIn(sample.call.swaps[0].fixed - 1)
        sample.call.swaps[1].amount = .exactIn(sample.call.swaps[1].fixed + 1)
        try sample.call.check(sample.terms)
        sample.call.swaps[1].amount = .exactIn(sample.call.swaps[1].fixed + 1)
        let taken = sample.terms.maximum + 1
        #expect(throws: RouterFault.aboveMaximum(taken, maximum: taken - 1)) {
            try sample.call.check(sample.terms)
        }
    }

    @Test("time: the deadline is after now, and not after the latest one")
    func time() throws {
        for index in 0..<5 {
            try refuses(index, .deadlinePassed(1_700_000_000)) { $0.call.deadline = 1_700_000_000 }
            try refuses(index, .deadlinePassed(0)) { $0.call.deadline = 0 }
            try refuses(index, .deadlineTooFar(1_700_001_201)) { $0.call.deadline += 1 }
            try refuses(index, .deadlineTooFar(.max)) { $0.call.deadline = .max }
        }
    }

    @Test("recipients: the account alone, the router only before the unwrapping")
    func recipients() throws {
        for index in 0..<4 {
            try refuses(index, .otherRecipient(RouterTerms.stranger)) {
                $0.call.swaps[0].recipient = RouterTerms.stranger
            }
            try refuses(index, .otherRecipient(RouterTerms.trader)) {
                $0.terms.account = RouterTerms.stranger
            }
            try refuses(index, .leftInRouter) { $0.call.swaps[0].recipient = RouterSwap.inRouter }
            for address in [Address.zero, RouterSwap.sender] {
                try refuses(index, .reservedRecipient(address)) {
                    $0.call.swaps[0].recipient = address
                }
            }
            try refuses(index, .notUnwrapped) {
                $0.call.unwrap = RouterUnwrap(minimum: 1, recipient: RouterTerms.trader)
            }
        }
        try refuses(4, .otherRecipient(RouterTerms.stranger)) {
            $0.call.unwrap?.recipient = RouterTerms.stranger
        }
        for address in [Address.zero, RouterSwap.sender, RouterSwap.inRouter] {
            try refuses(4, .reservedRecipient(address)) { $0.call.unwrap?.recipient = address }
        }
        try refuses(4, .notUnwrapped) { $0.call.swaps[0].recipient = RouterTerms.trader }
        try refuses(4, .leftInRouter) { $0.call.unwrap = nil }
        try refuses(4, .unwrapMissing) {
            $0.call.unwrap = nil
            $0.call.swaps[0].recipient = RouterTerms.trader
        }
        let weth = try ContractVectors.token("WETH")
        try refuses(4, .unwrapNotWanted) { $0.terms.bought = .token(weth) }
        let bought = Self.samples[4].terms.minimum
        try refuses(4, .otherUnwrapMinimum(bought - 1)) { $0.call.unwrap?.minimum -= 1 }
        try refuses(4, .zeroBound) { $0.call.unwrap?.minimum = 0 }
    }

    @Test("the reserved addresses are no account to trade for")
    func reservedAccount() throws {
        for address in [Address.zero, RouterSwap.sender, RouterSwap.inRouter] {
            try refuses(0, .reservedRecipient(address)) { $0.terms.account = address }
        }
    }

    @Test("coins: the value is what the swaps may take, with a refund, and none otherwise")
    func coins() throws {
        let due = Self.samples[3].call.value
        let more = Wei(due.rawValue + 1)
        try refuses(3, .otherValue(more, due: due)) { $0.call.value = more }
        try refuses(3, .otherValue(.zero, due: due)) { $0.call.value = .zero }
        try refuses(3, .refundMissing) { $0.call.refunds = false }
        let weth = try ContractVectors.token("WETH")
        try refuses(3, .otherValue(due, due: .zero)) { $0.terms.sold = .token(weth) }
        try refuses(3, .noWrappedCoin) { $0.terms.wrapped = nil }
        for index in [0, 1, 2, 4] {
            try refuses(index, .otherValue(Wei(1), due: .zero)) { $0.call.value = Wei(1) }
            try refuses(index, .refundNotWanted) { $0.call.refunds = true }
        }
    }

    @Test("tokens: the first sold, the last bought, in every leg; v2 only where it is reached")
    func tokens() throws {
        let wbtc = try ContractVectors.token("WBTC")
        let weth = try ContractVectors.token("WETH")
        let usdc = try ContractVectors.token("USDC")
        let path = try #require(PoolPath([weth, wbtc], [.v3(fee: 100)]))
        let reversed = try #require(PoolPath([usdc, weth], [.v3(fee: 100)]))
        try refuses(0, .otherBought(wbtc)) { $0.call.swaps[0].path = path }
        try refuses(1, .otherBought(wbtc)) { $0.call.swaps[2].path = path }
        try refuses(0, .otherSold(usdc)) { $0.call.swaps[0].path = reversed }
        try refuses(1, .otherSold(usdc)) { $0.call.swaps[1].path = reversed }
        try refuses(0, .sameToken) { $0.terms.bought = .native }
        try refuses(0, .sameToken) { $0.terms.bought = .token(weth) }
        try refuses(1, .v2NotReached) { $0.terms.allowsV2 = false }
        var sample = Self.samples[2]
        sample.terms.allowsV2 = false
        try sample.call.check(sample.terms)
    }

    @Test("no pool twice, in one path or in two, and one direction in a call")
    func plan() throws {
        let weth = try ContractVectors.token("WETH")
        let usdc = try ContractVectors.token("USDC")
        let pool = try #require(PoolID(weth, usdc, .v3(fee: 500)))
        try refuses(1, .poolTwice(pool)) { $0.call.swaps[1].path = $0.call.swaps[0].path }
        let round = try #require(
            PoolPath([weth, usdc, weth, usdc], [pool.kind, pool.kind, pool.kind])
        )
        try refuses(0, .poolTwice(pool)) { $0.call.swaps[0].path = round }
        try refuses(1, .mixedDirections) { $0.call.swaps[2].amount = .exactOut(1) }
        try refuses(2, .mixedDirections) { $0.call.swaps[1].amount = .exactIn(1) }
    }

    @Test("a call is made for each kind of trade, and its bytes are read back as the same call")
    func make() throws {
        let weth = try ContractVectors.token("WETH")
        let usdc = try ContractVectors.token("USDC")
        for (sold, bought) in [(weth, usdc), (usdc, weth)] {
            for isExactIn in [true, false] {
                let kinds: [PoolKind] = [.v2, .v3(fee: 500), .v3(fee: 3_000)]
                let legs = try kinds.map { kind in
                    RouterLeg(
                        path: try #require(PoolPath([sold, bought], [kind])),
                        amount: isExactIn ? .exactIn(1_000) : .exactOut(1_000),
                        bound: 900
                    )
                }
                for isNative in [true, false] {
                    try make(legs, sold, bought, weth: weth, isNative: isNative)
                }
            }
        }
        let terms = Self.samples[0].terms
        #expect(throws: RouterFault.noSwaps) { try RouterCall.make([], terms, deadline: 1) }
    }

    private func make(
        _ legs: [RouterLeg],
        _ sold: Address,
        _ bought: Address,
        weth: Address,
        isNative: Bool
    ) throws {
        let call = RouterCall(
            deadline: 1_700_000_600,
            swaps: legs.map { leg in
                RouterSwap(
                    path: leg.path,
                    amount: leg.amount,
                    bound: leg.bound,
                    recipient: RouterTerms.trader
                )
            }
        )
        var terms = try RouterTerms(of: call, account: RouterTerms.trader)
        if isNative {
            if sold == weth { terms.sold = .native } else { terms.bought = .native }
        }
        let made = try RouterCall.make(legs, terms, deadline: 1_700_000_600)
        try made.check(terms)
        #expect(try RouterCall(data: made.data, value: made.value) == made)
        #expect((made.value > .zero) == (terms.sold == .native))
        #expect((made.unwrap != nil) == (terms.bought == .native))
        #expect(made.effects.pays == [sold: terms.maximum])
        #expect(
            made.effects.receives == [
                RouterEffects.Receipt(
                    asset: terms.bought,
                    recipient: RouterTerms.trader,
                    minimum: terms.minimum
                )
            ]
        )
        #expect(made.effects.paysByAllowance(wrapped: weth).isEmpty == (terms.sold == .native))
    }

    @Test("the effects of a foreign call: sums by token and by recipient, never beyond 256 bits")
    func effects() throws {
        let weth = try ContractVectors.token("WETH")
        let usdc = try ContractVectors.token("USDC")
        var call = Self.samples[1].call
        call.swaps[2].recipient = RouterTerms.stranger
        call.value = Wei(7)
        var effects = try RouterCall(data: call.data, value: call.value).effects
        #expect(effects.pays == [weth: 10_000_000_000_000_000_000])
        #expect(effects.value == Wei(7))
        #expect(effects.paysByAllowance(wrapped: weth) == effects.pays)
        #expect(effects.paysByAllowance(wrapped: nil) == effects.pays)
        #expect(effects.receives.map(\.minimum) == [2, 1])
        #expect(effects.receives.map(\.asset) == [.token(usdc), .token(usdc)])
        #expect(effects.receives.map(\.recipient) == [RouterTerms.trader, RouterTerms.stranger])
        call.swaps[0].amount = .exactIn(.max)
        call.swaps[0].bound = .max
        effects = try RouterCall(data: call.data, value: call.value).effects
        #expect(effects.pays == [weth: .max])
        #expect(effects.receives.map(\.minimum) == [.max, 1])
    }
}
