import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("dex block")
struct BlockModelTests {
    private static let payer = TestMarket.address("0x00000000000000000000000000000000000000aa")
    private static let payee = TestMarket.address("0x00000000000000000000000000000000000000bb")

    private static func hash(_ number: UInt64) -> TransactionHash {
        TransactionHash(UInt256(number).word)
    }

    /// A market whose latest block has these transactions, with receipts that say they succeeded.
    private static func market(_ transactions: [BlockTransaction]) throws -> TestMarket {
        let market = try TestMarket()
        market.chain.set { state in
            guard let block = state.blocks[TestMarket.head] else { return }
            state.fullBlocks[TestMarket.head] = FullBlock(block: block, transactions: transactions)
            for transaction in transactions {
                state.receipts[transaction.hash] = receipt(transaction, in: block)
            }
        }
        return market
    }

    private static func receipt(
        _ transaction: BlockTransaction,
        in block: Block,
        succeeded: Bool = true
    ) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transaction.hash,
            blockNumber: block.number,
            blockHash: block.hash,
            from: transaction.from,
            to: transaction.to,
            succeeded: succeeded,
            gasUsed: 21_000,
            effectiveGasPrice: Wei(1),
            logs: []
        )
    }

    private static func transaction(
        _ number: UInt64,
        to: Address?,
        data: [UInt8]?
    ) -> BlockTransaction {
        BlockTransaction(hash: hash(number), from: payer, to: to, value: Wei(7), data: data)
    }

    @Test("names what each transaction calls, and who takes part")
    func methods() async throws {
        let approve = ERC20.approve(spender: Self.payee, amount: 1)
        // cancelOrder of v1.
        let cancel: [UInt8] = [0x39, 0x4C, 0x21, 0xE7]
        let market = try Self.market([
            Self.transaction(1, to: Self.payee, data: []),
            Self.transaction(2, to: TestMarket.zrx, data: approve),
            Self.transaction(3, to: TestMarket.exchange, data: cancel),
            // The same function of another contract says nothing.
            Self.transaction(4, to: Self.payee, data: cancel),
            // A token's function at the exchange is not one of the exchange.
            Self.transaction(5, to: TestMarket.exchange, data: approve),
            Self.transaction(6, to: nil, data: [0x60, 0x80]),
            Self.transaction(7, to: Self.payee, data: [1, 2]),
            Self.transaction(8, to: Self.payee, data: nil),
            // Old contracts read what is cut off as zeros.
            Self.transaction(9, to: TestMarket.zrx, data: Array(approve.dropLast())),
        ])
        let known = KnownAddresses([
            .init(name: "bob", address: Self.payee, source: .addressBook)
        ])
        let state = try await BlockModel(ChainScope(market.session(), known: known)).load(.latest)
        #expect(
            state.rows.map(\.method) == [
                .payment, .function("approve"), .function("cancelOrder"), .selector(cancel),
                .selector([0x09, 0x5E, 0xA7, 0xB3]), .creation, .selector([1, 2]), nil,
                .function("approve"),
            ]
        )
        #expect(state.rows.map(\.to?.name).prefix(3) == ["bob", "ZRX", "exchange"])
        #expect(state.rows[5].to == nil)
        #expect(state.rows[0].from.name == nil)
        #expect(state.block.number == TestMarket.head)
        // The block, then all receipts.
        #expect(market.chain.rounds.count == 2)
    }

    @Test("shows what reverted, and what has no receipt in this very block")
    func outcomes() async throws {
        let sent = (1...4).map { Self.transaction($0, to: Self.payee, data: []) }
        let market = try Self.market(sent)
        let other = TestMarket.block(TestMarket.head, timestamp: TestMarket.now, fork: 1)
        market.chain.set { state in
            guard let block = state.blocks[TestMarket.head] else { return }
            state.receipts[sent[1].hash] = Self.receipt(sent[1], in: block, succeeded: false)
            state.receipts[sent[2].hash] = .some(nil)
            state.receipts[sent[3].hash] = Self.receipt(sent[3], in: other)
        }
        let state = try await BlockModel(ChainScope(market.session())).load(
            .number(TestMarket.head)
        )
        #expect(state.rows.map(\.succeeded) == [true, false, nil, nil])
        #expect(state.rows.map(\.gasUsed) == [21_000, 21_000, nil, nil])
        let part = try await BlockModel(ChainScope(market.session()))
            .load(.latest, first: 1, maximum: 2)
        #expect(part.rows.map(\.hash) == [sent[1].hash, sent[2].hash])
        #expect(part.count == 4)
    }

    @Test("reads a block by its hash, and one without transactions in one request")
    func empty() async throws {
        let market = try Self.market([])
        let hash = TestMarket.blockHash(TestMarket.head)
        let state = try await BlockModel(ChainScope(market.session())).load(.hash(hash))
        #expect(state.block.hash == hash)
        #expect(state.rows.isEmpty)
        #expect(market.chain.rounds.count == 1)
    }

    @Test("says which block is missing, and why")
    func missing() async throws {
        let market = try Self.market([])
        let model = BlockModel(ChainScope(try market.session()))
        func error(_ reference: BlockReference) async -> DexError? {
            do throws(DexError) {
                _ = try await model.load(reference)
                return nil
            } catch {
                return error
            }
        }
        let next = await error(.number(TestMarket.head + 1))
        #expect(next?.code == "block-ahead")
        #expect(next?.exit.rawValue == 2)
        let none = await error(.hash(BlockHash(UInt256(9).word)))
        #expect(none?.code == "unknown-block")
        #expect(none?.exit.rawValue == 2)
        // A past block that this node does not keep.
        let old = await error(.number(1))
        #expect(old?.code == "block-not-found")
        #expect(old?.exit.rawValue == 4)
        // Another error than a missing block says nothing about the block.
        market.chain.set { state in
            state.onRound = { _, reads in
                .answers(
                    reads.map { read in
                        switch read {
                        case .chainID: .success(.number(1_337))
                        case .block:
                            .success(
                                .block(TestMarket.block(TestMarket.head, timestamp: TestMarket.now))
                            )
                        default: .failure(.rpc(code: -32_603, message: "internal error"))
                        }
                    }
                )
            }
        }
        #expect(await error(.number(5))?.code == "node-error")
    }

    @Test(
        "a block is named by a number, a hash or latest",
        arguments: [
            ("latest", BlockReference.latest), ("0", .number(0)), ("1200", .number(1_200)),
            ("9223372036854775807", .number(9_223_372_036_854_775_807)),
            ("0x" + String(repeating: "Ab", count: 32), nil),
        ] as [(String, BlockReference?)]
    )
    func references(_ text: String, _ expected: BlockReference?) throws {
        let hash = BlockHash(ifHex: text).map { BlockReference.hash($0) }
        #expect(try BlockReference(text) == expected ?? hash)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "-1", "+1", "1.0", "0x10", "0x", "Latest", "first", "١٢", "9223372036854775808",
            "99999999999999999999999", "0x" + String(repeating: "ab", count: 33), " 1",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: DexError.self) { try BlockReference(text) }
    }
}
