import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Testing

@Suite("Hostile calls of the swap venue")
struct SwapHostileInputTests {
    private let settler = TestChain.settler
    private let holder = TestChain.swap.allowanceHolder

    /// A good call of each contract, and who is called.
    private func goodCalls(_ test: TestChain) throws -> [(Address, [UInt8])] {
        let permit = SwapCalls.Permit(token: TestChain.zrx, amount: ether)
        let signature = try permit.signature(by: test.alice, spender: settler)
        let own = try permit.signature(by: test.alice, spender: test.alice.address)
        return [
            (
                holder,
                try test.sale(
                    of: TestChain.zrx,
                    ether,
                    for: TestChain.weth,
                    at: TestChain.zrxWeth
                )
            ),
            (
                settler,
                try SwapCalls.execute(
                    to: test.alice.address,
                    TestChain.weth,
                    minimum: 1,
                    [
                        try SwapCalls.transferFrom(to: settler, permit, signature: signature),
                        SwapCalls.sell(TestChain.zrxWeth, TestChain.zrx, to: settler),
                    ]
                )
            ),
            (
                TestChain.swap.permit2,
                try SwapCalls.permitTransferFrom(
                    permit,
                    to: test.bob.address,
                    ether,
                    owner: test.alice.address,
                    own
                )
            ),
            (TestChain.swap.registry, ERC20.call("ownerOf(uint256)", UInt256(2).word)),
            (TestChain.swap.registry, ERC20.call("prev(uint128)", UInt256(2).word)),
        ]
    }

    @Test("cut call data reverts at every length, and is never an answer")
    func cut() async throws {
        let test = try TestChain.withSwap()
        for (to, data) in try goodCalls(test) {
            #expect(await test.refusal(of: to, data) == nil)
            // A word's zeros at the end may be missing where a contract reads zeros there.
            for length in stride(from: data.count - 32, through: 1, by: -1) {
                let refusal = await test.refusal(of: to, Array(data.prefix(length)))
                #expect(refusal != nil, "\(to), \(length) of \(data.count)")
            }
        }
    }

    @Test("numbers beyond the data at every word: a revert or another answer, never a trap")
    func words() async throws {
        let test = try TestChain.withSwap()
        let values: [UInt256] = [
            .max, .max - 31, 1 << 255, 1 << 64, UInt256(UInt64.max), UInt256(UInt64.max - 31),
            1 << 63, 1 << 63 - 1, 1 << 32, 1 << 31, 0xFFFF, 4, 3, 1, 0,
        ]
        var reverts = 0
        for (to, data) in try goodCalls(test) {
            for start in stride(from: 4, through: data.count - 32, by: 4) {
                for value in values {
                    var bad = data
                    bad.replaceSubrange(start..<start + 32, with: value.word.bytes)
                    if await test.refusal(of: to, bad) != nil { reverts += 1 }
                }
            }
        }
        #expect(reverts > 3_000)
    }

    @Test("actions among the offsets, beyond the end, too short or endless revert")
    func actions() async throws {
        let test = try TestChain.withSwap()
        func execute(_ array: [UInt256], offset: UInt256 = 0xA0, _ tail: [UInt8] = []) -> [UInt8] {
            let words: [UInt256] = [0, 0, 0, offset, 7] + array
            return [0x1F, 0xFF, 0x99, 0x1F] + words.flatMap(\.word.bytes) + tail
        }
        #expect(await test.refusal(of: settler, execute([0])) == nil)
        let none: [[UInt256]] = [
            [], [1], [.max], [1 << 59], [UInt256(UInt64.max)], [2, 0x40], [1, 0, 4], [1, 31, 4],
            [1, .max, 4], [1, 0x40, 4], [1, 0x20, 3], [1, 0x20, 0],
        ]
        for array in none {
            #expect(await test.refusal(of: settler, execute(array)) == [], "\(array)")
        }
        for offset in [0xC0, 0xBD, 1 << 63, 1 << 64, .max, .max - 0xA0] as [UInt256] {
            let refusal = await test.refusal(of: settler, execute([0], offset: offset))
            #expect(refusal == [], "\(offset)")
        }
        // Longer than the data is no mistake of an action, however long; what is missing is zero.
        let check = SwapCalls.nativeCheck(.max, 0)
        for claimed in [68, 0xFFFF, 1 << 63, .max] as [UInt256] {
            let data = execute([1, 0x20, claimed], check)
            #expect(await test.refusal(of: settler, data) == nil, "\(claimed)")
        }
        let short = execute([1, 0x20, 67], check)
        #expect(await test.refusal(of: settler, short) == [])
        // One action many times: as many as the gas pays for, and at most 128.
        func many(_ count: UInt64) -> [UInt8] {
            let offsets = Array(repeating: UInt256(32 * count), count: Int(count))
            return execute([UInt256(count)] + offsets + [68], check)
        }
        #expect(await test.refusal(of: settler, many(128)) == nil)
        #expect(await test.refusal(of: settler, many(129)) == [])
        let poor = CallRequest(
            from: test.alice.address,
            to: settler,
            data: many(128),
            gas: 150_000
        )
        await #expect(throws: ChainError.self) { _ = try await test.client.call(poor) }
    }

    @Test("a signature that claims to be longer than the call data reverts")
    func signature() async throws {
        let test = try TestChain.withSwap()
        let permit = SwapCalls.Permit(token: TestChain.zrx, amount: ether)
        var action = try SwapCalls.transferFrom(to: settler, permit)
        let count = action.count
        for length in [1 << 255, 1 << 63, 1 << 40, 1 << 20, 66, 97] as [UInt256] {
            action.replaceSubrange(count - 32..<count, with: length.word.bytes)
            let words: [UInt256] = [0, 0, 0, 0xA0, 7, 1, 0x20, .max]
            let data = [0x1F, 0xFF, 0x99, 0x1F] + words.flatMap(\.word.bytes) + action
            let refusal = await test.refusal(of: settler, data)
            #expect(refusal == (length < 100 ? ERC20.call("InvalidSignatureLength()") : []))
        }
        // Shorter than it is: zeros follow, and zeros are no signature.
        action.replaceSubrange(count - 32..<count, with: UInt256(65).word.bytes)
        let words: [UInt256] = [0, 0, 0, 0xA0, 7, 1, 0x20, .max]
        let data = [0x1F, 0xFF, 0x99, 0x1F] + words.flatMap(\.word.bytes) + action
        #expect(
            await test.refusal(of: settler, data) == ERC20.call("InvalidSignature()")
        )
    }

    @Test("an AllowanceHolder that calls itself again and again reverts, and does not crash")
    func depth() async throws {
        let test = try TestChain.withSwap()
        func nested(_ levels: Int) throws -> [UInt8] {
            var data = try SwapCalls.exec(settler, TestChain.dai, 1, test.bob.address, [])
            for _ in 1..<levels {
                data = try SwapCalls.exec(settler, TestChain.dai, 1, holder, data)
            }
            return data
        }
        // The genuine one may call itself; the one here is never its own target.
        #expect(await test.refusal(of: holder, try nested(2)) == [])
        #expect(await test.refusal(of: holder, try nested(400)) == [])
    }

    @Test("whatever anybody sends, only the sender pays")
    func random() async throws {
        let test = try TestChain.withSwap()
        var random = SeededGenerator(seed: 12)
        let templates = try goodCalls(test)
        let addresses =
            TestChain.swapTokens + TestChain.swap.pools.map(\.address)
            + [
                test.alice.address, test.bob.address, settler, TestChain.previousSettler, holder,
                TestChain.swap.permit2, SwapCalls.native, .zero,
            ]
        var before: [UInt256] = []
        for token in TestChain.swapTokens {
            before.append(try await test.balance(token, test.alice.address))
        }
        var successes = 0
        for _ in 0..<600 {
            let (to, good) = random.pick(templates)
            var data = good
            for _ in 0..<random.below(3) {
                let word = 4 + 32 * random.below((data.count - 4) / 32)
                switch random.below(4) {
                case 0: data[random.below(data.count)] = UInt8(random.below(256))
                case 1:
                    data.replaceSubrange(word..<word + 32, with: random.pick(addresses).word.bytes)
                case 2:
                    data.replaceSubrange(
                        word..<word + 32,
                        with: UInt256(UInt64(random.below(300))).word.bytes
                    )
                default: data.insert(contentsOf: random.bytes(32), at: word)
                }
            }
            let receipt = try await test.send(
                from: test.bob,
                to: to,
                data: data,
                value: UInt256(UInt64(random.below(2))),
                gas: 1_000_000
            )
            successes += receipt.succeeded ? 1 : 0
        }
        #expect(successes > 20)
        for (token, amount) in zip(TestChain.swapTokens, before) {
            let after = try await test.balance(token, test.alice.address)
            #expect(after >= amount, "\(token)")
        }
    }
}
