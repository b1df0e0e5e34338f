package import Ethereum

/// Reads a pair's book so that it can be traded on.
package struct BookReader: Sendable {
    let session: Session
    let settings: ReadSettings

    package init(session: Session, settings: ReadSettings = ReadSettings()) {
        self.session = session
        self.settings = settings
    }

    /// The book in two rounds of requests, however many orders there are.
    ///
    /// - Parameters:
    ///   - account: whose nonce, ether, balances and allowances are read along.
    ///   - sides: `.buy` reads the asks, `.sell` the bids.
    /// - Throws: `DexError`: no relay, not reachable, another chain, no exchange, other decimals.
    package func snapshot(
        of pair: Pair,
        account: Address? = nil,
        sides: Set<TradeSide> = [.buy, .sell]
    ) async throws(DexError) -> BookSnapshot {
        fatalError("unimplemented")
    }
}
