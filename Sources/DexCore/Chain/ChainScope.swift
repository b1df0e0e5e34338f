package import Ethereum
import ZeroEx

/// The network of a command, and what its addresses are called.
package struct ChainScope: Sendable {
    package let session: Session
    package let known: KnownAddresses

    package init(_ session: Session, known: KnownAddresses = KnownAddresses()) {
        self.session = session
        self.known = known
    }

    /// The address is the network's exchange.
    func isExchange(_ address: Address) -> Bool {
        session.network.hasExchange && session.network.exchange == address
    }

    /// The address with its name.
    package func named(_ address: Address) -> NamedAddress {
        NamedAddress(
            address: address,
            name: known.name(of: address) ?? contract(address)
                ?? session.tokens.known(address)?.symbol
        )
    }

    /// What a contract of the network is called; nil for any other address.
    private func contract(_ address: Address) -> String? {
        if isExchange(address) { return "exchange" }
        return session.network.transferContract == address ? "transfer contract" : nil
    }
}

/// An address, and what the user or the network calls it.
package struct NamedAddress: Hashable, Sendable {
    package let address: Address
    /// A name of the user's, a token's symbol, or a contract of the network; nil if unknown.
    ///
    /// External text.
    package let name: String?

    package init(address: Address, name: String?) {
        self.address = address
        self.name = name
    }
}
