package import Ethereum
package import ZeroEx

/// An account's holding of a token: its balance, and what the exchange may move of it.
package struct TokenHolding: Hashable, Sendable {
    package let token: Address
    package let owner: Address
}

/// What logs can have changed: orders by hash, makers' funds, pairs of makers, and makers' signers.
package struct LogTouches: Hashable, Sendable {
    package struct VersionedCancel: Hashable, Sendable {
        package let version: ProtocolVersion
        package let cancel: PairCancel
    }

    package struct VersionedMaker: Hashable, Sendable {
        package let version: ProtocolVersion
        package let maker: Address
    }

    package var orders: Set<OrderHash> = []
    package var holdings: Set<TokenHolding> = []
    package var pairCancels: Set<VersionedCancel> = []
    /// Accounts all of whose orders may have become valid or invalid.
    package var makers: Set<VersionedMaker> = []
}
