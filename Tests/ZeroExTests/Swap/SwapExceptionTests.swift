import Ethereum
import Testing

@testable import ZeroEx

/// What the rules accept beside an ordinary `execute`: direct wraps, the one action with a minimum
/// of its own; and the registry that names the genuine Settlers.
@Suite("Swap rules, wraps, direct pools and the registry")
struct SwapExceptionTests {
    // MARK: The registry

    @Test("the registry is asked for the current and the previous taker-submitted Settler")
    func registryCalls() throws {
        let calls = SwapSample.rules.registryCalls
        #expect(calls.map(\.to) == [ZeroExSwapContracts.registry, ZeroExSwapContracts.registry])
        #expect(
            calls.map(\.data) == [
                try ABIFunction("ownerOf(uint256)").encode([.uint(2)]),
                try ABIFunction("prev(uint128)").encode([.uint(2)]),
            ]
        )
        #expect(SwapSample.rules.contracts.contains(ZeroExSwapContracts.registry))
        #expect(SwapSample.rules.contracts.contains(ZeroExSwapContracts.permit2))
        #expect(SwapSample.rules.contracts.contains(ZeroExSwapContracts.allowanceHolder))
        #expect(SwapSample.rules.name == "0x Swap")
    }

    @Test("both Settlers are genuine; a revert of the first, or no address, means paused")
    func registry() throws {
        let current = SwapSample.settler.word.bytes
        let previous = SwapSample.previous.word.bytes
        let rules = SwapSample.rules
        let both = [SwapSample.settler, SwapSample.previous]
        #expect(try rules.genuine(answers: [current, previous]) == both)
        #expect(try rules.genuine(answers: [current, nil]) == [SwapSample.settler])
        #expect(try rules.genuine(answers: [current, current]) == [SwapSample.settler])
        let zero = Bytes32.zero.bytes
        #expect(try rules.genuine(answers: [current, zero]) == [SwapSample.settler])
        #expect(try rules.genuine(answers: [current, []]) == [SwapSample.settler])
        let dirty = UInt256.max.bigEndianBytes
        let paused: [[[UInt8]?]] = [
            [nil, previous], [zero, previous], [[], previous], [current + [0], previous],
            [dirty, previous], [], [current], [current, previous, previous],
        ]
        for answers in paused {
            #expect(throws: QuoteFault.paused) { _ = try rules.genuine(answers: answers) }
        }
    }

    @Test("the addresses of docs/protocol/swap-v2.md")
    func addresses() {
        let texts = [
            ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.shanghaiAllowanceHolder,
            ZeroExSwapContracts.permit2, ZeroExSwapContracts.registry,
            ZeroExSwapContracts.nativeCoin, ZeroExSwapContracts.mantleNativeCoin,
        ].map(\.lowercaseHex)
        #expect(
            texts == [
                "0x0000000000001ff3684f28c67538d4d072c22734",
                "0x0000000000005e88410ccdfade4a5efae4b49562",
                "0x000000000022d473030f116ddee9f6b43ac78ba3",
                "0x00000000000004533fe15556b1e086bb1a72ceae",
                "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
                "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000",
            ]
        )
    }

    @Test(
        "selectors are those of their signatures",
        arguments: [
            (HolderCall.selector, "exec(address,address,uint256,address,bytes)"),
            (SettlerCall.selector, "execute((address,address,uint256),bytes[],bytes32)"),
            (
                DirectPoolAction.selector,
                "UNISWAPV3_VIP(address,((address,uint256),uint256,uint256),bytes,bytes,uint256)"
            ),
            (0xd0e3_0db0, "deposit()"), (0x2e1a_7d4d, "withdraw(uint256)"),
        ]
    )
    func selectors(_ selector: UInt32, _ signature: String) throws {
        #expect(try ABIFunction(signature).selector.selector == selector)
    }

    @Test("the encoder of these tests lays exec and execute out as the general one does")
    func encoder() throws {
        let sample = SwapSample.directPool()
        let outer = try ABIFunction("exec(address,address,uint256,address,bytes)")
        let values = try outer.decodeArguments(sample.quote.call.data)
        guard case .bytes(let data)? = values.last else { throw VectorError(what: "no data") }
        let inner = try ABIFunction("execute((address,address,uint256),bytes[],bytes32)")
        guard case .array(let actions) = try inner.decodeArguments(data)[1],
            case .bytes(let action)? = actions.first
        else { throw VectorError(what: "no actions") }
        let direct = try ABIFunction(
            "UNISWAPV3_VIP(address,((address,uint256),uint256,uint256),bytes,bytes,uint256)"
        )
        #expect(try direct.decodeArguments(action).count == 5)
    }

    // MARK: Direct wraps

    @Test("a wrap and an unwrap are calls of the wrapped coin's own contract")
    func wraps() throws {
        for genuine in [SwapSample.wrap(), SwapSample.unwrap()] {
            var sample = genuine
            for to in [SwapSample.attacker, ZeroExSwapContracts.allowanceHolder] {
                sample.quote.call.to = to
                #expect(field(sample) == "transaction.to")
            }
            sample = genuine
            sample.quote.call.data[0] ^= 1
            #expect(field(sample) == "transaction.data")
            sample = genuine
            sample.quote.call.data.append(0)
            #expect(field(sample) == "transaction.data")
            sample.quote.call.data = []
            #expect(field(sample) == "transaction.data")
            sample = genuine
            sample.terms.minimum = SwapSample.sells + 1
            #expect(field(sample) != nil)
            // Without a wrapped coin the trade has to go through the Settler.
            sample = genuine
            sample.terms.wrapped = nil
            #expect(field(sample) == "transaction.to")
        }
    }

    @Test("an unwrap takes no more than confirmed and brings no less")
    func unwrapAmount() throws {
        let withdraw = try ABIFunction("withdraw(uint256)")
        for (amount, expected) in [
            (SwapSample.maximum, nil), (SwapSample.maximum + 1, "withdraw.wad"),
            (SwapSample.bound, nil), (SwapSample.bound - 1, "withdraw.wad"),
            (UInt256.max, "withdraw.wad"),
        ] as [(UInt256, String?)] {
            var sample = SwapSample.unwrap()
            sample.quote.call.data = try withdraw.encode([.uint(amount)])
            #expect(field(sample) == expected, "\(amount)")
        }
    }

    // MARK: Direct pools

    @Test("paths of one to four pools are accepted")
    func hops() {
        for hops in 1...4 {
            let sample = SwapSample.directPool(hops: hops)
            #expect(field(sample) == nil, "\(hops) hops")
        }
    }

    @Test("any other call without a minimum is refused as unprotected")
    func unprotected() throws {
        let genuine = SwapSample.directPool()
        func expectUnprotected(
            _ name: String,
            _ value: UInt256,
            location: SourceLocation = #_sourceLocation
        ) throws {
            var sample = genuine
            let place = try #require(sample.fields.first { $0.name == name })
            let bytes = value.bigEndianBytes.suffix(place.range.count)
            sample.quote.call.data.replaceSubrange(place.range, with: bytes)
            expect(sample, location)
        }
        let attacker = UInt256(SwapSample.attacker.word)
        try expectUnprotected("VIP selector", 0x3036_d6a7)
        try expectUnprotected("VIP.recipient", attacker)
        try expectUnprotected("VIP.recipient", 0)
        try expectUnprotected("VIP.permitted.token", UInt256(SwapSample.bought.word))
        try expectUnprotected("VIP.permitted.amount", SwapSample.maximum + 1)
        try expectUnprotected("VIP.amountOutMin", SwapSample.bound - 1)
        try expectUnprotected("VIP.amountOutMin", 0)
        try expectUnprotected("VIP.path start", attacker)
        try expectUnprotected("VIP.path end", attacker)
        try expectUnprotected("VIP.path length", 63)
        try expectUnprotected("VIP.path length", 20)
        try expectUnprotected("VIP.path offset", 0x120)
        try expectUnprotected("VIP.sig offset", 0x100)
        try expectUnprotected("actions count", 0)
        try expectUnprotected("actions count", 2)
        try expectUnprotected("actions offsets", 0x40)
        try expectUnprotected("actions length", 0x20)
        try expectUnprotected("execute.actions offset", 0xc0)
        try expectUnprotected("execute.recipient", UInt256(SwapSample.account.word))
        try expectUnprotected("execute.recipient", attacker)
        try expectUnprotected("execute.buyToken", UInt256(SwapSample.bought.word))
    }

    @Test("two actions, a native trade or Permit2's layout have no such exception")
    func otherShapes() throws {
        let action = MappedCallData.directPool(
            recipient: SwapSample.account,
            token: SwapSample.sold,
            amount: SwapSample.sells,
            path: SwapSample.sold.bytes + [UInt8](repeating: 9, count: 24)
                + SwapSample.bought.bytes,
            minimum: SwapSample.minimum
        )
        var sample = SwapSample.directPool()
        let two = MappedCallData.execute(
            recipient: .zero,
            buyToken: .zero,
            minimum: 0,
            actions: [action, action]
        )
        sample.quote.call.data =
            MappedCallData.exec(
                operator: SwapSample.settler,
                token: SwapSample.sold,
                amount: SwapSample.sells,
                target: SwapSample.settler,
                two
            ).bytes
        expect(sample)
        sample = SwapSample.directPool()
        sample.terms.request.buy = .native
        expect(sample)
        sample = SwapSample.directPool()
        sample.terms.minimum = SwapSample.minimum + 1
        expect(sample)
    }

    // MARK: Helpers

    private func expect(_ sample: SwapSample, _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: QuoteFault.unprotected, sourceLocation: location) {
            _ = try SwapSample.rules.verify(sample.quote, sample.terms)
        }
    }

    /// The refused field; nil if the quote passes.
    private func field(_ sample: SwapSample) -> String? {
        do throws(QuoteFault) {
            _ = try SwapSample.rules.verify(sample.quote, sample.terms)
            return nil
        } catch {
            guard case .counterfeit(let field, _, _) = error else { return "\(error)" }
            return field
        }
    }
}
