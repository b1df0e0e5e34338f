import Ethereum
import ZeroEx

/// An account's movements in the logs of whole blocks, each once.
///
/// A transfer that is part of a fill, and one that wrapped ether logs beside a wrap, are left out.
struct AccountLogs {
    /// By block and log.
    private(set) var transfers: [TransferLog]
    /// By block and log, without empty ones.
    let wraps: [WrapLog]

    /// - Parameters:
    ///   - logs: also of other accounts and contracts; a log may be there twice.
    ///   - fills: those of the account's orders and those that it took.
    ///   - weth: the contract of wrapped ether.
    /// - Throws: `ExchangeError.unreadableAnswer` if a log has no position.
    init(
        _ logs: [Log],
        of account: Address,
        fills: [LoggedEvent],
        exchange: Address,
        weth: Address?
    ) throws(ExchangeError) {
        // A transfer of the account to itself is in the answers to two filters.
        var transfers: Set<TransferLog> = []
        for log in logs where log.address != exchange {
            if let transfer = try TransferLog(log),
                transfer.from == account || transfer.to == account
            {
                transfers.insert(transfer)
            }
        }
        wraps = try Self.wraps(in: logs, of: account, weth: weth)
        self.transfers = transfers.sorted { $0.place < $1.place }
        for logged in fills {
            if case .filled(let fill) = logged.event { drop(fill, of: account, logged.transaction) }
        }
        for wrap in wraps { drop(wrap, weth: weth) }
    }

    /// The account's wraps and unwraps, by block and log.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if a log has no position.
    static func wraps(
        in logs: [Log],
        of account: Address,
        weth: Address?
    ) throws(ExchangeError) -> [WrapLog] {
        var wraps: Set<WrapLog> = []
        for log in logs where log.address == weth && log.topics.dropFirst().first == account.word {
            if let wrap = try WrapLog(log), wrap.amount != .zero { wraps.insert(wrap) }
        }
        return wraps.sorted { $0.place < $1.place }
    }

    /// Drops all transfers of a transaction that another record stands for.
    mutating func drop(_ tokens: Set<Address>, in transaction: TransactionHash) {
        transfers.removeAll {
            $0.place.transaction == transaction && tokens.contains($0.token)
        }
    }

    /// Drops the transfer from or to the zero address that some wrapped ether contracts also log.
    private mutating func drop(_ wrap: WrapLog, weth: Address?) {
        dropFirst { transfer in
            transfer.token == weth && transfer.place.transaction == wrap.place.transaction
                && transfer.amount == wrap.amount
                && (wrap.isWrap ? transfer.from : transfer.to) == .zero
        }
    }

    /// The transfers that make up a fill, each once.
    private mutating func drop(
        _ fill: FillEvent,
        of account: Address,
        _ transaction: TransactionHash
    ) {
        func drop(_ matches: (TransferLog) -> Bool) {
            dropFirst { $0.place.transaction == transaction && matches($0) }
        }
        drop {
            $0.token == fill.makerToken && $0.from == fill.maker && $0.to == fill.taker
                && $0.amount == fill.makerAmount
        }
        drop {
            $0.token == fill.takerToken && $0.from == fill.taker && $0.to == fill.maker
                && $0.amount == fill.takerAmount
        }
        let isMaker = fill.maker == account
        let (payer, fee) =
            isMaker ? (fill.maker, fill.makerFee) : (fill.taker, fill.takerFee)
        if fee != .zero {
            drop { $0.from == payer && $0.to == fill.feeRecipient && $0.amount == fee }
        }
    }

    private mutating func dropFirst(_ matches: (TransferLog) -> Bool) {
        if let index = transfers.firstIndex(where: matches) { transfers.remove(at: index) }
    }
}
