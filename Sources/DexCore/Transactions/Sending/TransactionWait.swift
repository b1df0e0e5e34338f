package import Ethereum

/// A transaction that a command waits for, as its user should see it.
package struct TransactionWait: Hashable, Sendable {
    package let purpose: String
    package let hash: TransactionHash
    /// Its place among the command's transactions, from 1.
    package let step: Int
    /// How many transactions the command sends in all; at least `step`.
    package let steps: Int
    /// The most that it pays for a unit of gas; nil if it is not ours, or is mined and waits only
    /// for confirmations: then nothing can speed it up.
    package let price: Wei?
    /// The base fee of the latest block; nil before it is known, and on a chain without.
    package var baseFee: Wei?
    /// Seconds since 1970 when it was sent, or first seen if it is not ours.
    package let since: UInt64

    package init(
        purpose: String,
        hash: TransactionHash,
        step: Int,
        steps: Int,
        price: Wei?,
        baseFee: Wei? = nil,
        since: UInt64
    ) {
        self.purpose = purpose
        self.hash = hash
        self.step = step
        self.steps = max(step, steps)
        self.price = price
        self.baseFee = baseFee
        self.since = since
    }
}
