import DexStore
import Ethereum
import ZeroEx

/// Makes notices of an account's messages.
struct WatchNotices {
    let session: Session
    let subject: WatchTarget
    /// Shown with each event; nil if only one account is watched.
    let accountName: String?

    /// The notice of a message; a token outside the map has no name if the node does not answer.
    func notice(_ message: WatchMessage) async -> WatchNotice {
        let event = message.event
        let addresses = [event.token, event.otherToken].compactMap { $0 }
        let resolver = TokenResolver(session: session)
        // nil: a notice without names is better than none
        let tokens = (try? await resolver.checkedTokens(at: addresses))?.tokens ?? [:]
        func token(_ address: Address) -> Token {
            tokens[address] ?? session.tokens.known(address) ?? .unknown(address)
        }
        var other: TokenAmount?
        if let address = event.otherToken, let raw = event.otherAmount {
            other = TokenAmount(raw: raw, token: token(address))
        }
        return WatchNotice(
            network: session.network.name,
            chainID: session.network.chainID,
            account: subject.account,
            accountName: accountName,
            message: message,
            currency: event.token.map { .token(token($0)) } ?? .coin(session.network.coin),
            other: other
        )
    }
}
