import DexCore
import Ethereum
import Synchronization
import Testing

/// A chain on which ether is paid, watched for the trader.
final class EtherStage: Sendable {
    /// A transaction with ether in it.
    struct Payment: Sendable {
        var number: UInt64
        var from: Address
        var to: Address?
        var value: UInt256
        var succeeds = true
        /// What it paid for a unit of gas, of which it takes 21,000; nil where nobody tells.
        var price: UInt256? = 2
    }

    private struct Entry: Sendable {
        var got = UInt256.zero
        var gave = UInt256.zero
        var nonces: UInt64 = 0
    }

    let stage: WatchStage
    private let entries = Mutex<[UInt64: Entry]>([:])

    static let gas: UInt256 = 21_000
    private static let beginning = TestMarket.units("10")

    init() throws {
        stage = try WatchStage()
        stage.market.chain.set { [account = stage.account] chain in
            chain.holdings = { [weak self] owner, block in
                #expect(owner == account)
                return .success(self?.holding(block) ?? FakeChain.Holding(ether: 0, nonce: 0))
            }
        }
    }

    var account: Address { stage.account }
    var other: Address { stage.other }

    /// What the account has after a block.
    private func holding(_ block: UInt64) -> FakeChain.Holding {
        entries.withLock { entries in
            entries.filter { $0.key <= block }.values.reduce(
                FakeChain.Holding(ether: Self.beginning, nonce: 0)
            ) { sum, entry in
                FakeChain.Holding(
                    ether: sum.ether + entry.got - entry.gave,
                    nonce: sum.nonce + entry.nonces
                )
            }
        }
    }

    /// Takes what was paid from a block on out of the chain.
    func forget(from block: UInt64) {
        entries.withLock { entries in entries = entries.filter { $0.key < block } }
        stage.market.chain.set { chain in
            chain.fullBlocks = chain.fullBlocks.filter { $0.key < block }
        }
    }

    /// Mines a block.
    ///
    /// - Parameters:
    ///   - logs: of its first transaction.
    ///   - got: what contracts paid the account, of which no transaction tells.
    ///   - gave: what contracts took of it.
    func mine(
        _ number: UInt64,
        fork: UInt64 = 0,
        _ payments: [Payment] = [],
        logs: [Log] = [],
        got: UInt256 = 0,
        gave: UInt256 = 0
    ) {
        stage.mine(number, fork: fork, transaction: payments.first?.number ?? 0, logs)
        var entry = Entry(got: got, gave: gave)
        for payment in payments {
            if payment.from == account {
                entry.nonces += 1
                entry.gave += Self.gas * (payment.price ?? 2)
            }
            guard payment.succeeds else { continue }
            if payment.from == account { entry.gave += payment.value }
            if payment.to == account { entry.got += payment.value }
        }
        entries.withLock { $0[number] = entry }
        let hash = TestMarket.blockHash(number, fork: fork)
        stage.market.chain.set { chain in
            guard let block = chain.blocks[number] else { return }
            chain.fullBlocks[number] = FullBlock(
                block: block,
                transactions: payments.map { payment in
                    BlockTransaction(
                        hash: WatchStage.hash(payment.number),
                        from: payment.from,
                        to: payment.to,
                        value: Wei(payment.value)
                    )
                }
            )
            for payment in payments {
                chain.receipts[WatchStage.hash(payment.number)] = TransactionReceipt(
                    transactionHash: WatchStage.hash(payment.number),
                    blockNumber: number,
                    blockHash: hash,
                    from: payment.from,
                    to: payment.to,
                    succeeded: payment.succeeds,
                    gasUsed: 21_000,
                    effectiveGasPrice: payment.price.map { Wei($0) },
                    logs: []
                )
            }
        }
    }

    /// A payment to the account.
    func incoming(_ number: UInt64, _ value: UInt256) -> Payment {
        Payment(number: number, from: other, to: account, value: value)
    }

    /// A payment of the account.
    func outgoing(_ number: UInt64, _ value: UInt256, to: Address?) -> Payment {
        Payment(number: number, from: account, to: to, value: value)
    }

    /// Whole blocks that were asked for.
    var wholeBlocks: [UInt64] {
        stage.market.chain.rounds.joined().compactMap { read in
            if case .fullBlock(.number(let number)) = read { number } else { nil }
        }
    }
}
