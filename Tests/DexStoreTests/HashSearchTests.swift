import DexStore
import Ethereum
import Testing
import ZeroEx

@Suite("Hashes in the journal by their start")
struct HashSearchTests {
    private let test = TestJournal()
    private static let exchange = TestJournal.address(50)

    private static func order(_ word: Bytes32, created: UInt64, chainID: UInt64 = 1) -> JournalOrder
    {
        JournalOrder(
            chainID: chainID,
            exchange: exchange,
            hash: OrderHash(word),
            maker: TestJournal.alice,
            wire: "{}",
            created: created
        )
    }

    private static func word(_ start: UInt64, _ end: UInt64) -> Bytes32 {
        Bytes32(limbs: (start << 48, 0, 0, end))
    }

    private func orders(_ start: String, limit: Int = 10) throws -> [Bytes32] {
        try test.journal.orderHashes(
            startingWith: start,
            chainID: 1,
            exchange: Self.exchange,
            limit: limit
        ).map(\.word)
    }

    @Test("orders of the exchange, the newest first, no more than wanted")
    func orders() throws {
        let (old, new) = (Self.word(0xE649, 1), Self.word(0xE649, 2))
        try test.journal.save(Self.order(old, created: 1))
        try test.journal.save(Self.order(new, created: 2))
        try test.journal.save(Self.order(Self.word(0xE64A, 1), created: 3))
        try test.journal.save(Self.order(Self.word(0xE649, 3), created: 4, chainID: 5))
        #expect(try orders("0xe649") == [new, old])
        #expect(try orders("0xe649", limit: 1) == [new])
        #expect(try orders("0xe64") == [Self.word(0xE64A, 1), new, old])
        #expect(try orders("0xffff").isEmpty)
        #expect(try orders(new.hex) == [new])
    }

    @Test("own transactions, and with those of others the ones that traded with us")
    func transactions() throws {
        try test.sign(7)
        let mined = MinedTrades(
            chainID: 1,
            exchange: Self.exchange,
            transaction: TestJournal.hash(8),
            sender: TestJournal.bob,
            block: 77,
            blockHash: BlockHash(UInt256(5).word),
            time: nil,
            gasUsed: 1,
            gasPrice: nil,
            trades: [
                MinedTrades.Trade(
                    logIndex: 0,
                    event: .cancel(
                        CancelEvent(
                            orderHash: OrderHash(UInt256(1).word),
                            maker: TestJournal.alice,
                            makerToken: TestJournal.address(10),
                            takerToken: TestJournal.address(11),
                            makerAmount: 7,
                            takerAmount: 8
                        )
                    )
                )
            ]
        )
        try test.journal.note([mined])
        func found(onlyOwn: Bool, chainID: UInt64 = 1) throws -> [TransactionHash] {
            try test.journal.transactionHashes(
                startingWith: "0x0000",
                chainID: chainID,
                onlyOwn: onlyOwn,
                limit: 10
            )
        }
        #expect(try found(onlyOwn: true) == [TestJournal.hash(7)])
        #expect(try found(onlyOwn: false) == [TestJournal.hash(7), TestJournal.hash(8)])
        #expect(try found(onlyOwn: false, chainID: 2).isEmpty)
    }
}
