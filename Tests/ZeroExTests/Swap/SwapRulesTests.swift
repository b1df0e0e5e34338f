import Ethereum
import Testing

@testable import ZeroEx

/// Every row of "What proves a quote genuine" (docs/protocol/swap-v2.md), violated.
@Suite("Swap rules")
struct SwapRulesTests {
    private static let word = (
        operator: 0, token: 1, amount: 2, target: 3, offset: 4, length: 5
    )

    // MARK: transaction.to and value

    @Test("an allowance quote goes to the chain's AllowanceHolder and nowhere else")
    func holder() throws {
        for to in [
            SwapSample.attacker, ZeroExSwapContracts.permit2, SwapSample.settler,
            ZeroExSwapContracts.shanghaiAllowanceHolder, SwapSample.wrapped,
        ] {
            var sample = try Self.sample()
            sample.quote.call.to = to
            try expect(
                sample,
                "transaction.to",
                ZeroExSwapContracts.allowanceHolder.checksummed,
                to.checksummed
            )
        }
    }

    @Test("Mantle has the AllowanceHolder of chains with the rules of Shanghai")
    func mantle() throws {
        let rules = ZeroExSwapRules(chainID: 5000)
        #expect(rules.spender(.allowance) == ZeroExSwapContracts.shanghaiAllowanceHolder)
        #expect(SwapSample.rules.spender(.allowance) == ZeroExSwapContracts.allowanceHolder)
        #expect(rules.spender(.permit) == ZeroExSwapContracts.permit2)
        var sample = try Self.sample()
        sample.terms.request.chainID = 5000
        sample.quote.call.to = ZeroExSwapContracts.shanghaiAllowanceHolder
        #expect(throws: Never.self) { _ = try rules.verify(sample.quote, sample.terms) }
        sample.quote.call.to = ZeroExSwapContracts.allowanceHolder
        #expect(throws: QuoteFault.self) { _ = try rules.verify(sample.quote, sample.terms) }
    }

    @Test("a Permit2 quote goes to one of the genuine Settlers")
    func settler() throws {
        var sample = try SwapSample.permit()
        sample.quote.call.to = SwapSample.previous
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
        for to in [SwapSample.attacker, ZeroExSwapContracts.allowanceHolder] {
            sample.quote.call.to = to
            let genuine = "\(SwapSample.settler) or \(SwapSample.previous)"
            try expect(sample, "transaction.to", genuine, to.checksummed)
        }
        sample.terms.genuine = []
        sample.quote.call.to = SwapSample.settler
        try expect(sample, "transaction.to", "none", SwapSample.settler.checksummed)
    }

    @Test("a token sell has no value, a native sell exactly what is sold")
    func value() throws {
        for var sample in [try Self.sample(), try SwapSample.permit(), SwapSample.unwrap()] {
            sample.quote.call.value = Wei(1)
            try expect(sample, "transaction.value", "0", "1")
        }
        for var sample in [
            try SwapSample.holder("", .native, .token(SwapSample.bought)), SwapSample.wrap(),
        ] {
            for value in [0, SwapSample.sells - 1, SwapSample.sells + 1, .max] {
                sample.quote.call.value = Wei(value)
                try expect(sample, "transaction.value", "990000", value.description)
            }
        }
    }

    @Test("a native sell for a fixed output takes what the quote says, never more than confirmed")
    func exactOutValue() throws {
        var sample = try SwapSample.holder(
            "",
            .native,
            .token(SwapSample.bought),
            .exactOut(SwapSample.minimum)
        )
        sample.quote.call.value = Wei(SwapSample.maximum)
        try expect(sample, "transaction.value", "990000", "1000000")
        sample.quote.price.maximumSold = SwapSample.maximum
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
        sample.quote.price.maximumSold = SwapSample.maximum + 1
        sample.quote.call.value = Wei(SwapSample.maximum + 1)
        try expect(sample, "transaction.value", "at most 1000000", "1000001")
    }

    // MARK: exec

    @Test("operator and target are the same genuine Settler, each address alone in its word")
    func parties() throws {
        let genuine = "\(SwapSample.settler) or \(SwapSample.previous)"
        let attacker = UInt256(SwapSample.attacker.word)
        var sample = try Self.sample()
        Self.put(attacker, at: Self.word.operator, &sample)
        try expect(sample, "exec.operator", genuine, SwapSample.attacker.checksummed)
        sample = try Self.sample()
        let dirty = UInt256(SwapSample.settler.word) | UInt256(1) << 160
        Self.put(dirty, at: Self.word.operator, &sample)
        try expect(sample, "exec.operator", genuine, dirty.word.hex)
        for target in [SwapSample.attacker, SwapSample.previous, SwapSample.sold] {
            sample = try Self.sample()
            Self.put(UInt256(target.word), at: Self.word.target, &sample)
            let expected = SwapSample.settler.checksummed
            try expect(sample, "exec.target", expected, target.checksummed)
        }
        sample = try Self.sample()
        Self.put(UInt256(SwapSample.previous.word), at: Self.word.operator, &sample)
        Self.put(UInt256(SwapSample.previous.word), at: Self.word.target, &sample)
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
    }

    @Test("the lent token is the sold one, and no more of it than confirmed")
    func lent() throws {
        var sample = try Self.sample()
        Self.put(UInt256(SwapSample.bought.word), at: Self.word.token, &sample)
        let bought = SwapSample.bought.checksummed
        try expect(sample, "exec.token", SwapSample.sold.checksummed, bought)
        sample = try Self.sample()
        Self.put(SwapSample.maximum, at: Self.word.amount, &sample)
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
        Self.put(SwapSample.maximum + 1, at: Self.word.amount, &sample)
        try expect(sample, "exec.amount", "at most 1000000", "1000001")
    }

    @Test("a native sell lends nothing: an older approval stays out of the actions' reach")
    func nativeLends() throws {
        let native = try SwapSample.holder("", .native, .token(SwapSample.bought))
        var sample = native
        let holder = ZeroExSwapContracts.nativeCoin.checksummed
        Self.put(UInt256(SwapSample.sold.word), at: Self.word.token, &sample)
        let expected = "\(holder) or \(Address.zero.checksummed)"
        try expect(sample, "exec.token", expected, SwapSample.sold.checksummed)
        Self.put(0, at: Self.word.amount, &sample)
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
        sample = native
        Self.put(0, at: Self.word.token, &sample)
        #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
    }

    @Test("exec is read strictly: offset, length, padding and the end of the data")
    func strict() throws {
        let genuine = try Self.sample()
        let count = genuine.quote.call.data.count
        func expectMalformed(_ change: (inout SwapSample) -> Void) throws {
            var sample = genuine
            change(&sample)
            try expect(
                sample,
                "transaction.data",
                "a call of exec in the contract ABI's encoding",
                "\(sample.quote.call.data.count) bytes in another encoding"
            )
        }
        for offset in [0, 0x80, 0xa1, 0xc0, UInt256.max] {
            try expectMalformed { Self.put(offset, at: Self.word.offset, &$0) }
        }
        let length = UInt256(UInt64(count - 4 - 6 * 32))
        for length in [0, length - 64, length + 64, 1 << 63, UInt256.max] {
            try expectMalformed { Self.put(length, at: Self.word.length, &$0) }
        }
        try expectMalformed { $0.quote.call.data[count - 1] = 1 }
        try expectMalformed { $0.quote.call.data.append(0) }
        try expectMalformed { $0.quote.call.data += [UInt8](repeating: 0, count: 32) }
        try expectMalformed { $0.quote.call.data.removeLast() }
        try expectMalformed { $0.quote.call.data.removeLast(count - 4) }
    }

    @Test("another function is refused, and so are fewer than four bytes")
    func functions() throws {
        var sample = try Self.sample()
        sample.quote.call.data.replaceSubrange(0..<4, with: [0x15, 0xda, 0xcb, 0xea])
        try expect(sample, "transaction.data", "a call of 0x2213bc0b", "a call of 0x15dacbea")
        sample.quote.call.data = [0x22, 0x13, 0xbc]
        try expect(sample, "transaction.data", "a call of 0x2213bc0b", "3 bytes")
        sample = try Self.sample()
        let inner = 4 + 6 * 32
        sample.quote.call.data.replaceSubrange(inner..<inner + 4, with: [0x06, 0xb8, 0x52, 0x4c])
        try expect(sample, "exec.data", "a call of 0x1fff991f", "a call of 0x06b8524c")
    }

    // MARK: execute

    @Test("recipient, bought token and minimum are read in the call data, for both payments")
    func outcome() throws {
        let samples = [
            try Self.sample(), try SwapSample.permit(),
            try SwapSample.holder("", .native, .token(SwapSample.bought)),
            try SwapSample.holder(
                "",
                .token(SwapSample.sold),
                .token(SwapSample.bought),
                .exactOut(1)
            ),
        ]
        for genuine in samples {
            let data = try #require(genuine.fields.first { $0.name == "execute.recipient" })
            let head = data.range.lowerBound
            func changed(_ word: Int, _ value: UInt256) -> SwapSample {
                var sample = genuine
                let start = head + 32 * word
                let bytes = value.bigEndianBytes
                sample.quote.call.data.replaceSubrange(start..<start + 32, with: bytes)
                return sample
            }
            let account = SwapSample.account.checksummed
            for recipient in [SwapSample.attacker, .zero] {
                let sample = changed(0, UInt256(recipient.word))
                try expect(sample, "execute.recipient", account, recipient.checksummed)
            }
            for token in [SwapSample.sold, .zero, ZeroExSwapContracts.nativeCoin] {
                let bought = SwapSample.bought.checksummed
                let sample = changed(1, UInt256(token.word))
                try expect(sample, "execute.buyToken", bought, token.checksummed)
            }
            let short = changed(2, SwapSample.bound - 1)
            try expect(short, "execute.minAmountOut", "at least 480000", "479999")
            let enough = changed(2, SwapSample.bound)
            #expect(try SwapSample.rules.verify(enough.quote, enough.terms) == enough.quote.call)
            let none = changed(2, 0)
            #expect(throws: QuoteFault.unprotected) {
                _ = try SwapSample.rules.verify(none.quote, none.terms)
            }
        }
    }

    @Test("a minimum of zero is refused even where the terms ask for none")
    func noMinimum() throws {
        var sample = try Self.sample()
        sample.terms.minimum = 0
        let minimum = try #require(sample.fields.first { $0.name == "execute.minAmountOut" })
        sample.quote.call.data.replaceSubrange(minimum.range, with: UInt256.zero.bigEndianBytes)
        #expect(throws: QuoteFault.unprotected) {
            _ = try SwapSample.rules.verify(sample.quote, sample.terms)
        }
    }

    @Test("the offset of the actions leads behind the head and into the data")
    func actionsOffset() throws {
        for genuine in [try Self.sample(), try SwapSample.permit()] {
            let offset = try #require(
                genuine.fields.first { $0.name == "execute.actions offset" }
            )
            for value in [0, 0x80, 1 << 20, 1 << 63, UInt256.max] {
                var sample = genuine
                let bytes = value.bigEndianBytes
                sample.quote.call.data.replaceSubrange(offset.range, with: bytes)
                let error = try #require(fault(sample))
                guard
                    case .counterfeit(_, "a call of execute in the contract ABI's encoding", _) =
                        error
                else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }

    @Test("a Permit2 quote whose data ends within the head is refused")
    func shortHead() throws {
        let genuine = try SwapSample.permit()
        for count in 0..<4 + 6 * 32 {
            var sample = genuine
            sample.quote.call.data.removeLast(sample.quote.call.data.count - count)
            #expect(fault(sample) != nil, "\(count) bytes")
        }
    }

    // MARK: The spender

    @Test("a named spender is one of the published contracts, and changes nothing")
    func spender() throws {
        var sample = try Self.sample()
        for spender in [
            nil, ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.permit2,
            ZeroExSwapContracts.shanghaiAllowanceHolder,
        ] {
            sample.quote.namedSpender = spender
            #expect(try SwapSample.rules.verify(sample.quote, sample.terms) == sample.quote.call)
        }
        sample.quote.namedSpender = SwapSample.settler
        let error = try #require(fault(sample))
        guard case .counterfeit("allowanceTarget", _, SwapSample.settler.checksummed) = error else {
            Issue.record("\(error)")
            return
        }
    }

    // MARK: Helpers

    private static func sample() throws -> SwapSample {
        try SwapSample.holder("", .token(SwapSample.sold), .token(SwapSample.bought))
    }

    /// Replaces a word of the arguments.
    private static func put(_ value: UInt256, at index: Int, _ sample: inout SwapSample) {
        let start = 4 + 32 * index
        sample.quote.call.data.replaceSubrange(start..<start + 32, with: value.bigEndianBytes)
    }

    private func fault(_ sample: SwapSample) -> QuoteFault? {
        do throws(QuoteFault) {
            _ = try SwapSample.rules.verify(sample.quote, sample.terms)
            return nil
        } catch {
            return error
        }
    }

    private func expect(
        _ sample: SwapSample,
        _ field: String,
        _ expected: String,
        _ found: String,
        location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            fault(sample) == .counterfeit(field: field, expected: expected, found: found),
            sourceLocation: location
        )
    }
}
