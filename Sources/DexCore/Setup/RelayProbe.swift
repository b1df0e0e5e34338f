package import Ethereum
package import ZeroEx

/// Checks that a network's relay answers as one, has pairs, and takes orders of the exchange.
///
/// It signs and posts nothing.
package struct RelayProbe: Sendable {
    package enum Finding: Hashable, Sendable {
        /// It can be traded on: the number of its token pairs.
        case serves(pairs: Int)
        /// Some of several relays gave no usable answer; a sentence about each.
        case leftOut([String])
        /// It answers and has no pairs.
        case empty
        /// It would not take an order of the network's exchange.
        case otherExchange(pairs: Int, reason: String)
    }

    private let session: Session
    private let account: Address?

    /// - Parameter account: the maker of the order that fees are asked for; nil without one.
    package init(session: Session, account: Address? = nil) {
        self.session = session
        self.account = account
    }

    /// - Throws: `DexError`, exit 4, if the relay does not answer, or not as a relay.
    package func finding(of relay: any RelayClient) async throws(DexError) -> Finding {
        let pairs = try await relayed(try await relay.tokenPairs(nil, nil))
        guard session.leftOutRelays.isEmpty else { return .leftOut(session.leftOutRelays) }
        guard let pair = pairs.first else { return .empty }
        do throws(RelayError) {
            _ = try await relay.fees(for: draft(pair))
        } catch .refused(_, _, let reason, _) {
            return .otherExchange(
                pairs: pairs.count,
                reason: PlainText.sentence(reason)
            )
        } catch {
            throw DexError(error)
        }
        return .serves(pairs: pairs.count)
    }

    /// An order for a fee request; it is never signed.
    private func draft(_ pair: RelayTokenPair) -> OrderDraft {
        let now = session.environment.now()
        return OrderDraft(
            exchange: session.network.exchange,
            maker: account ?? session.network.exchange,
            makerToken: pair.tokenA.token,
            takerToken: pair.tokenB.token,
            makerAmount: max(1, pair.tokenA.minimum ?? 1_000_000),
            takerAmount: max(1, pair.tokenB.minimum ?? 1_000_000),
            expiry: UInt256(now.addingSaturating(86_400)),
            salt: session.exchangeProtocol.salt(random: session.environment.random(), now: now)
        )
    }
}
