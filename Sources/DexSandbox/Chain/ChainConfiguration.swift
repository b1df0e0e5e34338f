package import Ethereum

/// The settings of a simulated chain, besides its genesis.
package struct ChainConfiguration: Sendable {
    package enum Mining: Hashable, Sendable {
        /// Each executable transaction gets its own block on arrival.
        case instant
        /// A block at a fixed interval in seconds, with the pending transactions, empty or not.
        case interval(seconds: UInt64)
        /// Only on request.
        case manual
    }

    /// The SQLite file that keeps the chain; nil keeps it in memory only.
    package var storePath: String?
    /// It is the copy of another machine's chain.
    package var isCopy: Bool
    package var mining: Mining
    /// The time in seconds since 1970.
    package var now: @Sendable () -> UInt64
    /// Recovers the signers of transactions and orders.
    package var recoverer: any SignatureRecovering

    package init(
        storePath: String? = nil,
        isCopy: Bool = false,
        mining: Mining = .instant,
        now: @escaping @Sendable () -> UInt64,
        recoverer: any SignatureRecovering
    ) {
        self.storePath = storePath
        self.isCopy = isCopy
        self.mining = mining
        self.now = now
        self.recoverer = recoverer
    }
}
