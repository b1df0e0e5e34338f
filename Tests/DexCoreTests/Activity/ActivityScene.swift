import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A chain on which the trader's activity is read.
protocol ActivityScene {
    var ether: EtherStage { get }
}

extension ActivityScene {
    var stage: WatchStage { ether.stage }
    var account: Address { ether.account }
    var other: Address { ether.other }
    /// No token of the map.
    var stranger: Address { TestMarket.address("0x00000000000000000000000000000000000000aa") }

    func model(_ names: KnownAddresses = KnownAddresses()) throws -> ActivityModel {
        ActivityModel(
            session: try stage.market.session(),
            journal: stage.store.journal,
            names: names
        )
    }

    func load(
        since: UInt64? = TestMarket.now,
        before: ActivityCursor? = nil,
        showsAll: Bool = false
    ) async throws -> ActivityState {
        try await model().load(account, since: since, before: before, showsAll: showsAll)
    }

    /// Mines a block whose first transaction has these logs and data.
    func mine(
        _ number: UInt64,
        fork: UInt64 = 0,
        _ payments: [EtherStage.Payment],
        logs: [Log] = [],
        data: [UInt8] = []
    ) {
        ether.mine(number, fork: fork, payments, logs: logs)
        let block = TestMarket.blockHash(number, fork: fork)
        stage.market.chain.set { chain in
            for (index, payment) in payments.enumerated() {
                let hash = WatchStage.hash(payment.number)
                chain.transactions[hash] = TransactionInfo(
                    hash: hash,
                    from: payment.from,
                    to: payment.to,
                    nonce: payment.number,
                    value: Wei(payment.value),
                    gasLimit: 100_000,
                    data: index == 0 ? data : [],
                    blockNumber: number,
                    blockHash: block
                )
                guard index == 0, payment.succeeds, let receipt = chain.receipts[hash] ?? nil
                else { continue }
                chain.receipts[hash] = receipt.with(
                    logs: logs.enumerated().map { index, log in
                        Log(
                            address: log.address,
                            topics: log.topics,
                            data: log.data,
                            blockNumber: number,
                            blockHash: block,
                            transactionHash: hash,
                            logIndex: UInt64(index)
                        )
                    }
                )
            }
        }
    }

    func own(_ number: UInt64, _ value: UInt256 = 0, to: Address?) -> EtherStage.Payment {
        ether.outgoing(number, value, to: to)
    }

    func approval(_ token: Address, _ amount: UInt256) -> Log {
        Log(
            address: token,
            topics: [ERC20.approvalTopic, account.word, other.word],
            data: amount.bigEndianBytes
        )
    }

    func words(_ state: ActivityState) -> [String] {
        state.rows.map { row in
            "\(row.kind) \(row.amount.map(\.description) ?? "-") \(row.currency.symbol)"
                + (row.stage == .mined ? "" : " \(row.stage)")
        }
    }

    func asked(since round: Int) -> Set<ClosedRange<UInt64>> {
        Set(
            stage.market.chain.rounds.dropFirst(round).joined().compactMap { read in
                guard case .logs(let filter) = read, case .number(let first) = filter.fromBlock,
                    case .number(let last) = filter.toBlock, first != last
                else { return nil }
                return first...last
            }
        )
    }
}
