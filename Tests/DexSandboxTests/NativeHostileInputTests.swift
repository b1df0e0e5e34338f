import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("Hostile calls of the Exchange Proxy, and what a file keeps of it")
final class NativeHostileInputTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-native-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test("a function that is not there is named, also where less than a selector came")
    func unknownFunctions() async throws {
        let test = try TestChain()
        for (data, selector) in [
            ([1, 2, 3, 4], 0x0102_0304), ([1, 2, 3, 4, 5], 0x0102_0304), ([0xAB], 0xAB00_0000),
        ] as [([UInt8], UInt32)] {
            #expect(
                await test.refusal(data: data)
                    == ExchangeRevertV4.notImplemented(selector: selector).data
            )
        }
        // The exchange's calls of itself are for nobody else.
        let own = ERC20.call(
            """
            _fillLimitOrder((address,address,uint128,uint128,uint128,address,address,address,\
            address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32),uint128,address,address)
            """
        )
        #expect(await test.refusal(data: own) != nil)
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchangeProxy,
            data: [1, 2, 3, 4],
            gas: 100_000
        )
        #expect(!receipt.succeeded)
        #expect(receipt.gasUsed < 30_000)
    }

    @Test("arguments wider than their types, and cut ones, revert without data")
    func malformedArguments() async throws {
        let test = try TestChain()
        let signed = try test.limit(by: test.makers[0])
        let good = ExchangeCallV4.limit(.fill(signed.order, signed.signature, amount: 10)).data
        let filled = FillAmountsV4(taker: 10, maker: 5)
        // The first byte of each word that is not a full one.
        for word in [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16] {
            var bad = good
            bad[4 + 32 * word] = 1
            #expect(await test.refusal(data: bad) == [], "word \(word)")
        }
        for length in [4, 5, 36, good.count - 32, good.count - 1] {
            #expect(await test.refusal(data: Array(good.prefix(length))) == [], "\(length)")
        }
        // More than the arguments is no mistake: others append who brought the order.
        let more = CallRequest(
            from: test.alice.address,
            to: TestChain.exchangeProxy,
            data: good + [1, 2, 3]
        )
        #expect(
            try ExchangeAnswerV4(await test.client.call(more), of: .fillLimitOrder)
                == .fill(filled)
        )
    }

    @Test("arrays may lie anywhere, but not beyond the data")
    func arrays() async throws {
        let test = try TestChain()
        let signed = try test.limit(by: test.makers[0])
        let canonical = ExchangeCallV4.limit(
            .batchFill(
                [signed.order],
                [signed.signature],
                amounts: [10],
                revertIfIncomplete: true
            )
        ).data
        func moved(_ argument: Int, to offset: UInt256) -> [UInt8] {
            var data = canonical
            data.replaceSubrange(4 + 32 * argument..<36 + 32 * argument, with: offset.word.bytes)
            return data
        }
        func filled(_ data: [UInt8]) async throws -> ExchangeAnswerV4 {
            let request = CallRequest(
                from: test.alice.address,
                to: TestChain.exchangeProxy,
                data: data
            )
            return try ExchangeAnswerV4(
                await test.client.call(request),
                of: .batchFillLimitOrders
            )
        }
        let wanted = ExchangeAnswerV4.batchFill([FillAmountsV4(taker: 10, maker: 5)])
        #expect(try await filled(canonical) == wanted)
        // The amounts once more at the end, with a gap before them.
        let gap: [UInt8] = [7, 7, 7]
        let again = UInt256(1).word.bytes + UInt256(10).word.bytes
        let offset = UInt256(UInt64(canonical.count - 4 + gap.count))
        #expect(try await filled(moved(2, to: offset) + gap + again) == wanted)
        let beyond: [UInt256] = [
            UInt256(UInt64(canonical.count)), UInt256(UInt64(canonical.count - 4)),
            UInt256(UInt64(Int64.max)), UInt256(UInt64.max), .max, UInt256(1) << 64,
        ]
        for argument in 0..<3 {
            for offset in beyond {
                #expect(await test.refusal(data: moved(argument, to: offset)) == [])
            }
        }
        // Lengths that no data has.
        for length in [2, UInt256(UInt64.max), .max] as [UInt256] {
            var data = canonical
            data.replaceSubrange(4 + 128..<36 + 128, with: length.word.bytes)
            #expect(await test.refusal(data: data) == [])
        }
    }

    @Test("no random call data stops the chain")
    func randomCalls() async throws {
        let test = try TestChain()
        var random = SeededGenerator(seed: 4)
        let signed = try test.limit(by: test.makers[0])
        let rfq = try test.rfq(by: test.makers[0])
        let base: [ExchangeCallV4] = [
            .limit(.fill(signed.order, signed.signature, amount: 10)),
            .limit(
                .batchFill(
                    [signed.order, signed.order],
                    [signed.signature, signed.signature],
                    amounts: [1, 2],
                    revertIfIncomplete: false
                )
            ),
            .limit(.batchRelevantStates([signed.order], [signed.signature])),
            .rfq(.batchFill([rfq.order], [rfq.signature], amounts: [4], revertIfIncomplete: true)),
            .rfq(.batchCancel([rfq.order])),
            .registerAllowedRfqOrigins([.zero, TestChain.dai], allowed: true),
            .limit(
                .batchCancelPair(makerTokens: [.zero], takerTokens: [.zero], minValidSalts: [1])
            ),
        ]
        var answers = 0
        for round in 0..<600 {
            var data = base[round % base.count].data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<data.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: data[place] = UInt8.random(in: 0...255, using: &random)
                case 1: data[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2 where place > 4: data.removeLast(data.count - place)
                default: data.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            let request = CallRequest(
                from: test.makers[0].address,
                to: TestChain.exchangeProxy,
                data: data,
                gas: 3_000_000
            )
            let error = await chainError {
                _ = try await test.client.call(request)
                answers += 1
            }
            if let error {
                guard case .reverted = error else {
                    Issue.record("\(Hex.encode(data)): \(error)")
                    continue
                }
            }
        }
        #expect(answers > 50)
        #expect(answers < 550)
    }

    @Test("fills, cancels, least salts and registrations survive a restart, and replaced blocks")
    func store() async throws {
        let path = folder.appendingPathComponent("chain.sqlite").path
        func picture(_ test: TestChain) async throws -> [ExchangeAnswerV4] {
            let maker = test.makers[0]
            let signed = try test.limit(by: maker) { $0.salt = 100 }
            let cancelled = try test.limit(by: maker) { $0.salt = 101 }
            let low = try test.rfq(by: maker) { $0.salt = 3 }
            let started = try test.limit(by: test.makers[1])
            var answers: [ExchangeAnswerV4] = []
            for order in [signed.order, cancelled.order, started.order] {
                answers.append(try await test.ask(.limit(.info(order))))
            }
            answers.append(try await test.ask(.rfq(.info(low.order))))
            answers.append(
                try await test.ask(
                    .isValidOrderSigner(maker: maker.address, signer: test.bob.address)
                )
            )
            return answers
        }
        func started(_ genesis: inout Genesis) throws {
            let maker = try TestChain.signer(11)
            let order = LimitOrderV4(
                makerToken: TestChain.dai,
                takerToken: TestChain.weth,
                makerAmount: 10_000_000_000_000_000_000,
                takerAmount: 20_000_000_000_000_000_000,
                maker: maker.address,
                expiry: TestChain.start + 100_000,
                salt: 1
            )
            genesis.nativeOrders = [
                GenesisOrder(hash: order.hash(in: TestChain.domain).word, filled: 77)
            ]
        }
        let before: [ExchangeAnswerV4]
        do {
            let test = try TestChain(storePath: path) { try? started(&$0) }
            let maker = test.makers[0]
            let signed = try test.limit(by: maker) { $0.salt = 100 }
            try await test.send(.limit(.fill(signed.order, signed.signature, amount: 30)))
            let cancelled = try test.limit(by: maker) { $0.salt = 101 }
            try await test.send(.limit(.cancel(cancelled.order)), from: maker)
            try await test.send(
                .rfq(
                    .cancelPair(
                        PairCancelV4(
                            makerToken: TestChain.dai,
                            takerToken: TestChain.weth,
                            minValidSalt: 50
                        )
                    )
                ),
                from: maker
            )
            try await test.send(
                .registerAllowedOrderSigner(test.bob.address, allowed: true),
                from: maker
            )
            before = try await picture(test)
            guard case .info(let filled) = before[0], case .info(let gone) = before[1],
                case .info(let part) = before[2], case .info(let salted) = before[3]
            else {
                Issue.record("no states")
                return
            }
            #expect(filled.filled == 30)
            #expect(gone.status == .cancelled)
            #expect(part.filled == 77 && part.status == .fillable)
            #expect(salted.status == .cancelled)
            #expect(before[4] == .isValidOrderSigner(true))
        }
        let again = try TestChain(storePath: path) { try? started(&$0) }
        #expect(try await picture(again) == before)
        _ = try await again.chain.reorganize(blocks: 4, transactions: .gone)
        let back = try await picture(again)
        guard case .info(let filled) = back[0], case .info(let restored) = back[1],
            case .info(let part) = back[2], case .info(let salted) = back[3]
        else {
            Issue.record("no states")
            return
        }
        #expect(filled.filled == 0)
        #expect(restored.status == .fillable)
        #expect(part.filled == 77)
        #expect(salted.status == .fillable)
        #expect(back[4] == .isValidOrderSigner(false))
    }

    @Test("an access list names the slots where the contract keeps them")
    func accessList() async throws {
        let test = try TestChain()
        let signed = try test.limit(by: test.makers[0])
        let call = ExchangeCallV4.limit(.fill(signed.order, signed.signature, amount: 10))
        let answer = try await test.rpc(
            "eth_createAccessList",
            [
                [
                    "from": .string(test.alice.address.lowercaseHex),
                    "to": .string(TestChain.exchangeProxy.lowercaseHex),
                    "data": .string(Hex.encode(call.data)),
                ]
            ]
        )
        let entry = answer["accessList"]?.arrayValue?.first {
            $0["address"]?.stringValue == TestChain.exchangeProxy.lowercaseHex
        }
        let slots = (entry?["storageKeys"]?.arrayValue ?? []).compactMap(\.stringValue)
        // The fills are the contract's second mapping, and the functions its first one; the other
        // two are the least salt and the protocol fee.
        let fills = Keccak256.hash(UInt256(1).bigEndianBytes + signed.hash.word.bytes).hex
        #expect(slots.contains(fills))
        let selector = (UInt256(0xF627_4F66) << 224).word.bytes
        #expect(slots.contains(Keccak256.hash(UInt256(0).bigEndianBytes + selector).hex))
        #expect(slots.count == 4)
    }
}
