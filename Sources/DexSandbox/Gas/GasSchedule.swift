import Ethereum

/// The gas prices of Prague's rules.
enum GasSchedule {
    private static let transaction = TransactionGas(.prague)
    private static let state = StateGas(.prague)
    static let coldAccount = state.coldAccount
    static let coldSlot = state.coldSlot
    static let warmAccess: UInt64 = 100
    static let callValue = state.callValue
    static let callStipend: UInt64 = 2_300
    static let newAccount = state.newAccount
    /// TLOAD and TSTORE (EIP-1153).
    static let transientAccess: UInt64 = 100
    static let storeSentry: UInt64 = 2_300
    static let storeSet = state.newWord
    static let storeReset = state.changedWord
    static let storeClearRefund = Int64(state.clearRefund)
    /// A refund is at most a fifth of the used gas (EIP-3529).
    static let refundQuotient: UInt64 = 5

    /// Copying bytes to memory.
    static func copy(bytes: Int) -> UInt64 {
        3 * ((UInt64(bytes) + 31) / 32)
    }

    /// LOG with this many topics and bytes.
    static func log(topics: Int, bytes: Int) -> UInt64 {
        375 + 375 * UInt64(topics) + 8 * UInt64(bytes)
    }

    /// SSTORE, by a slot's value before the transaction, its current and its new value.
    ///
    /// Source: EIP-2200, EIP-2929, EIP-3529.
    static func store(
        original: UInt256,
        current: UInt256,
        new: UInt256,
        isWarm: Bool
    ) -> (gas: UInt64, refund: Int64) {
        let access = isWarm ? 0 : coldSlot
        if current == new { return (access + warmAccess, 0) }
        if original == current {
            if original == .zero { return (access + storeSet, 0) }
            return (access + storeReset, new == .zero ? storeClearRefund : 0)
        }
        var refund: Int64 = 0
        if original != .zero {
            if current == .zero { refund -= storeClearRefund }
            if new == .zero { refund += storeClearRefund }
        }
        if original == new {
            let paid = original == .zero ? storeSet : storeReset
            refund += Int64(paid) - Int64(warmAccess)
        }
        return (access + warmAccess, refund)
    }

    /// A transaction's intrinsic gas, and its minimum total gas.
    static func intrinsic(
        data: [UInt8],
        accessList: [AccessListEntry]
    ) -> (gas: UInt64, floor: UInt64) {
        (transaction.intrinsic(data: data, accessList: accessList), transaction.floor(of: data))
    }

    /// The base fee of the block after one (EIP-1559), in wei per gas; at most 2^64 - 1.
    static func nextBaseFee(baseFee: UInt64, gasUsed: UInt64, gasLimit: UInt64) -> UInt64 {
        let fee = Wei(UInt256(baseFee))
        // Of 64 bits each, the product stays below 256: it is never nil.
        let next = BaseFee.next(after: fee, gasUsed: gasUsed, gasLimit: gasLimit)
        return next?.rawValue.uint64 ?? .max
    }
}
