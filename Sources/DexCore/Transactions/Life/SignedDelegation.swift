package import Ethereum

/// That an account runs another one's code from a transaction on, as its key signed (EIP-7702).
///
/// Where the nonce was not the account's, it has no effect, which only the account's code tells.
package struct SignedDelegation: Hashable, Sendable {
    package let account: Address
    /// Whose code it runs; nil: nobody's any more.
    package let delegate: Address?

    package init(account: Address, delegate: Address?) {
        (self.account, self.delegate) = (account, delegate)
    }

    /// nil for one that has no effect: of another chain, or signed by nobody.
    init?(_ authorization: Transaction.Authorization, _ session: Session) {
        guard [.zero, UInt256(session.network.chainID)].contains(authorization.chainID),
            let account = authorization.signer(session.recoverer)
        else { return nil }
        let delegate = authorization.delegate
        self.init(account: account, delegate: delegate == .zero ? nil : delegate)
    }
}
