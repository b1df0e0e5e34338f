public import Ethereum

/// The volume of a token over transactions: per transaction the greater of what pools got and what
/// they gave of it.
///
/// A path passes on what it bought, and a swap forth and back moves the same tokens twice.
public struct VolumePerTransaction {
    /// Base units; the most that 256 bits hold if it is more.
    public let sum: UInt256

    /// - Parameter parts: of each trade its transaction, whether the token was sold, and how much;
    ///   those without a transaction's hash count as one transaction.
    public init(_ parts: some Sequence<(TransactionHash?, isSold: Bool, amount: UInt256)>) {
        var sums: [TransactionHash?: (sold: UInt256, bought: UInt256)] = [:]
        for (transaction, isSold, amount) in parts {
            var sum = sums[transaction] ?? (0, 0)
            if isSold {
                sum.sold = sum.sold.addingSaturating(amount)
            } else {
                sum.bought = sum.bought.addingSaturating(amount)
            }
            sums[transaction] = sum
        }
        sum = sums.values.reduce(.zero) { $0.addingSaturating(max($1.sold, $1.bought)) }
    }
}
