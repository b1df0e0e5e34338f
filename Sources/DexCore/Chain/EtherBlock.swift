import DexStore
import Ethereum

/// A block with the transactions to and by an account.
struct EtherBlock {
    struct Payment {
        let transaction: BlockTransaction
        let receipt: TransactionReceipt
    }

    let subject: WatchTarget
    /// The contract of wrapped ether.
    let weth: Address?
    /// The chain takes a fee beside gas.
    let hasRollupFee: Bool
    let block: WatchedBlock
    let payments: [Payment]

    private var place: WatchEvent.Place {
        WatchEvent.Place(block: block, logIndex: nil, time: 0)
    }

    /// The account's own transactions.
    var own: [TransactionHash] {
        payments.map(\.transaction).filter { $0.from == subject.account }.map(\.hash)
    }

    /// The ether payments in the block.
    ///
    /// A change of the balance that its transactions do not explain came from a contract, or went
    /// to one that could take it; the transaction is unknown.
    ///
    /// - Parameters:
    ///   - change: the balances around it.
    ///   - wraps: wraps and unwraps, also of other blocks.
    func events(_ change: EtherScan.Change, wraps: [WrapLog]) -> [WatchEvent] {
        let account = subject.account
        var events: [WatchEvent] = []
        // The balance before with income, and the balance after with spending.
        var (got, spent) = (change.before.balance, change.after.balance)
        var wraps = wraps.filter { $0.place.block == block }
        // On an old chain a node may not report the cost of gas.
        var isGasKnown = true
        for payment in payments {
            let (transaction, receipt) = (payment.transaction, payment.receipt)
            let isOwn = transaction.from == account
            if isOwn {
                if let cost = receipt.networkFee(hasRollupFee: hasRollupFee) {
                    spent = spent.addingSaturating(cost.rawValue)
                } else {
                    isGasKnown = false
                }
            }
            let value = transaction.value.rawValue
            guard receipt.succeeded, value != .zero else { continue }
            if isOwn { spent = spent.addingSaturating(value) }
            if transaction.to == account { got = got.addingSaturating(value) }
            if isOwn, let index = wraps.firstIndex(where: { Self.is($0, transaction, weth) }) {
                wraps.remove(at: index)
                continue
            }
            events.append(
                subject.event(
                    isOwn ? .sent : .received,
                    in: transaction.hash,
                    token: nil,
                    amount: value,
                    counterparty: isOwn ? transaction.to : transaction.from,
                    ordinal: 0,
                    place: place
                )
            )
        }
        for wrap in wraps {
            if wrap.isWrap {
                spent = spent.addingSaturating(wrap.amount)
            } else {
                got = got.addingSaturating(wrap.amount)
            }
        }
        if spent > got, isGasKnown {
            events.append(subject.unexplained(.received, spent - got, place))
        }
        // Some chains charge more for a transaction than its receipt shows.
        if got > spent, !payments.contains(where: { $0.transaction.from == account }) {
            events.append(subject.unexplained(.sent, got - spent, place))
        }
        return events
    }

    /// The transaction wrapped the account's ether.
    private static func `is`(
        _ wrap: WrapLog,
        _ transaction: BlockTransaction,
        _ weth: Address?
    ) -> Bool {
        wrap.isWrap && transaction.to == weth && wrap.place.transaction == transaction.hash
            && wrap.amount == transaction.value.rawValue
    }
}
