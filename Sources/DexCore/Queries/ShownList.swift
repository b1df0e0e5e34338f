package import Ethereum

/// The hashes of the list of orders or transactions that a terminal shows last, row by row.
package struct ShownList: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case orders
        case transactions
    }

    /// Later rows have no number.
    package static let maximum = 1_000

    /// The name of the network that the list is of.
    package let network: String
    package let kind: Kind
    /// Row 1 first; at most `maximum`.
    package let hashes: [Bytes32]

    package init(network: String, kind: Kind, hashes: some Sequence<Bytes32>) {
        self.network = network
        self.kind = kind
        self.hashes = Array(hashes.prefix(Self.maximum))
    }
}
