import DexStore
package import Ethereum
import ZeroEx

/// The network that is shown, others of the same chain beside it, and what addresses are called.
///
/// The networks share the node; each has its own exchange. A command has one, the explorer of a
/// sandbox those of both versions of 0x.
package struct ChainScope: Sendable {
    /// The network whose node, tokens and clock are used.
    package let session: Session
    /// All networks, that one first.
    package let sessions: [Session]
    package let known: KnownAddresses
    /// The logs that were read, in memory: a server's visitors fill no user's journal.
    let store = Journal()

    package init(
        _ session: Session,
        others: [Session] = [],
        known: KnownAddresses = KnownAddresses()
    ) {
        self.session = session
        sessions = [session] + others
        self.known = known
    }

    /// The network whose exchange this is; nil if none.
    func session(ofExchange address: Address) -> Session? {
        sessions.first { $0.network.hasExchange && $0.network.exchange == address }
    }

    /// The address with its name.
    package func named(_ address: Address) -> NamedAddress {
        NamedAddress(
            address: address,
            name: known.name(of: address) ?? contract(address)
                ?? session.tokens.known(address)?.symbol
        )
    }

    /// What a contract of the networks is called; nil for any other address.
    private func contract(_ address: Address) -> String? {
        if let session = session(ofExchange: address) {
            return sessions.count == 1
                ? "exchange" : "exchange \(session.network.protocolVersion.rawValue)"
        }
        return sessions.contains { $0.network.transferContract == address }
            ? "transfer contract" : nil
    }
}

/// An address, and what the user or the network calls it.
package struct NamedAddress: Hashable, Sendable {
    package let address: Address
    /// A name of the user's, a token's symbol, or a contract of the network; nil if unknown.
    ///
    /// External text.
    package let name: String?
}
