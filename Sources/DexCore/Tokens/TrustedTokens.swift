import DexStore
import Ethereum
import ZeroEx

/// Tokens whose events are believed: those of the token map and of the account's own orders.
///
/// Anybody can make a contract that logs transfers from and to any account.
struct TrustedTokens {
    private let own: Set<Address>
    private let map: TokenMap

    init(own: Set<Address>, map: TokenMap) {
        self.own = own
        self.map = map
    }

    /// - Throws: `DexError` if the journal cannot be read.
    init(session: Session, journal: Journal, account: Address) throws(DexError) {
        let orders = try journal.ownOrders(of: account, session: session)
        self.init(
            own: Set(orders.flatMap { [$0.makerToken, $0.takerToken] }),
            map: session.tokens
        )
    }

    func contains(_ token: Address) -> Bool {
        own.contains(token) || map.known(token) != nil
    }
}
