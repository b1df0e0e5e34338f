import DexStore
import Ethereum
import ZeroEx

extension WatchEvent.Place {
    /// Whether it comes before another one: by block and log, entries without a log first.
    ///
    /// nil if both have the same position.
    func isBefore(_ other: WatchEvent.Place) -> Bool? {
        if block.number != other.block.number { return block.number < other.block.number }
        switch (logIndex, other.logIndex) {
        case (nil, nil): return nil
        case (nil, _?): return true
        case (_?, nil): return false
        case (let index?, let otherIndex?): return index == otherIndex ? nil : index < otherIndex
        }
    }
}

/// The position of a log in the chain.
struct LogPlace: Hashable, Comparable {
    let block: WatchedBlock
    let transaction: TransactionHash
    let index: UInt64

    /// - Throws: `ExchangeError.unreadableAnswer` if the log has no position.
    init(_ log: Log) throws(ExchangeError) {
        guard let number = log.blockNumber, let hash = log.blockHash,
            let transaction = log.transactionHash, let index = log.logIndex
        else { throw .unreadableAnswer("a log does not say its place in the chain") }
        block = WatchedBlock(number: number, hash: hash)
        self.transaction = transaction
        self.index = index
    }

    init(_ logged: LoggedEvent) {
        block = WatchedBlock(number: logged.block, hash: logged.blockHash)
        transaction = logged.transaction
        index = logged.logIndex
    }

    /// Without the block's time: it is still unknown, and zero.
    var event: WatchEvent.Place {
        WatchEvent.Place(block: block, logIndex: index, time: 0)
    }

    static func < (left: LogPlace, right: LogPlace) -> Bool {
        (left.block.number, left.index) < (right.block.number, right.index)
    }
}
