/// What a transaction costs before its first instruction, and the most that it may cost, in units of
/// gas, by revision.
///
/// Source: the yellow paper; EIP-2028 (bytes of call data), EIP-2930 (access lists), EIP-7623 (the
/// least by call data, from Prague on), EIP-7825 (the most, from Osaka on); Amsterdam's are those of
/// Sepolia since October 2026.
public struct TransactionGas: Hashable, Sendable {
    /// Of every transaction.
    public let base: UInt64
    /// More where the target is another account.
    public let otherTarget: UInt64
    /// More where ether goes along.
    public let value: UInt64
    public let zeroByte: UInt64
    public let otherByte: UInt64
    /// Of an address of the access list, with its bytes.
    public let listedAddress: UInt64
    /// Of a storage key of the access list, with its bytes.
    public let listedKey: UInt64
    /// The least that is paid for a zero byte, whatever the call does; nil without such a least.
    public let minimumOfZeroByte: UInt64?
    /// The same of another byte.
    public let minimumOfOtherByte: UInt64?
    /// The most gas of a transaction, beside gas for state; nil for what a block holds.
    public let maximum: UInt64?

    /// Of a payment without call data to another account that exists, in every revision.
    public static let payment: UInt64 = 21_000

    public init(_ revision: Revision) {
        let isAmsterdam = revision >= .amsterdam
        base = isAmsterdam ? 12_000 : 21_000
        otherTarget = isAmsterdam ? 3_000 : 0
        value = isAmsterdam ? 6_000 : 0
        (zeroByte, otherByte) = (4, 16)
        let listedByte: UInt64 = isAmsterdam ? 64 : 0
        listedAddress = (isAmsterdam ? 2_900 : 2_400) + 20 * listedByte
        listedKey = (isAmsterdam ? 2_000 : 1_900) + 32 * listedByte
        switch revision {
        case .cancun: (minimumOfZeroByte, minimumOfOtherByte) = (nil, nil)
        case .prague, .osaka: (minimumOfZeroByte, minimumOfOtherByte) = (10, 40)
        case .amsterdam: (minimumOfZeroByte, minimumOfOtherByte) = (64, 64)
        }
        maximum = revision >= .osaka ? 1 << 24 : nil
    }

    /// What a call costs before its first instruction.
    ///
    /// Where another target or ether costs more, it is the least of all calls with such data: what a
    /// node's estimate can never be below.
    ///
    /// Example: `TransactionGas(.osaka).intrinsic(data: [], accessList: [])` is 21000.
    public func intrinsic(data: [UInt8], accessList: [AccessListEntry]) -> UInt64 {
        let zeros = data.count { $0 == 0 }
        return base + zeroByte * UInt64(zeros) + otherByte * UInt64(data.count - zeros)
            + listed(accessList)
    }

    /// The least gas limit that a node takes: for much call data more than `intrinsic`.
    public func minimumLimit(data: [UInt8], accessList: [AccessListEntry]) -> UInt64 {
        max(intrinsic(data: data, accessList: accessList), floor(of: data))
    }

    /// The least that is paid for a transaction with such call data, whatever it does (EIP-7623); 0
    /// without such a rule.
    public func floor(of data: [UInt8]) -> UInt64 {
        guard let minimumOfZeroByte, let minimumOfOtherByte else { return 0 }
        let zeros = data.count { $0 == 0 }
        return base + minimumOfZeroByte * UInt64(zeros)
            + minimumOfOtherByte * UInt64(data.count - zeros)
    }

    /// What an access list costs.
    public func listed(_ accessList: [AccessListEntry]) -> UInt64 {
        let keys = accessList.reduce(0) { $0 + $1.storageKeys.count }
        return listedAddress * UInt64(accessList.count) + listedKey * UInt64(keys)
    }
}
