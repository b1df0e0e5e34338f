extension Transaction {
    /// The gas of a payment without call data.
    public static let plainGas: UInt64 = 21_000

    /// The gas that a call costs before its first instruction; no node takes a lower gas limit.
    ///
    /// Example: `Transaction.intrinsicGas(data: [], accessList: [])` is 21000.
    ///
    /// Source: the yellow paper, EIP-2028 (16 for a byte, 4 for a zero one), EIP-2930 (2,400 for an
    /// address of the access list, 1,900 for each of its slots). Chains since Prague may ask for
    /// more (EIP-7623).
    public static func intrinsicGas(data: [UInt8], accessList: [AccessListEntry]) -> UInt64 {
        let zeros = data.count { $0 == 0 }
        let slots = accessList.reduce(0) { $0 + $1.storageKeys.count }
        return plainGas + 4 * UInt64(zeros) + 16 * UInt64(data.count - zeros)
            + 2_400 * UInt64(accessList.count) + 1_900 * UInt64(slots)
    }
}
