package import Ethereum
import ZeroEx

/// Reads a pair's book so that it can be traded on.
package struct BookReader: Sendable {
    let session: Session
    let settings: ReadSettings

    package init(session: Session, settings: ReadSettings = ReadSettings()) {
        self.session = session
        self.settings = settings
    }

    /// The book in two rounds of requests, however many orders there are: the relay's book beside
    /// what the chain says of itself, then everything about the orders at one block.
    ///
    /// - Parameters:
    ///   - account: whose nonce, ether, balances and allowances are read along.
    ///   - sides: `.buy` reads the asks, `.sell` the bids; orders of a side that is not asked for
    ///     are counted as received and looked at no further.
    /// - Throws: `DexError`: no relay, not reachable, another chain, no exchange, other decimals.
    package func snapshot(
        of pair: Pair,
        account: Address? = nil,
        sides: Set<TradeSide> = [.buy, .sell]
    ) async throws(DexError) -> BookSnapshot {
        guard let relay = session.relay else { throw .noRelay(session.network) }
        let pricing = OrderPricing(base: pair.base.address, quote: pair.quote.address)
        async let relayed = VerifiedBook.read(
            from: relay,
            session: session,
            pricing: pricing,
            sides: sides
        )
        // The node's answer comes first: a wrong chain is to be told whatever the relay says.
        let setup = try await ChainSetup.read(session, account: account)
        let book = try await relayed.get()

        var dropped = book.dropped
        var orders: [any SignedOrder] = []
        orders.reserveCapacity(book.orders.count)
        for order in book.orders {
            if order.expiry <= UInt256(setup.block.timestamp) {
                dropped.append(OrderbookState.Dropped(expired: order))
            } else {
                orders.append(order)
            }
        }
        let tokens = Set(
            [pair.base.address, pair.quote.address, setup.contracts.feeToken].compactMap { $0 }
        )
        let reads = try await FundingReads.read(
            FundingReads.Question(
                orders: orders,
                contracts: setup.contracts,
                detail: .remaining,
                holdings: Set(
                    account.map { owner in tokens.map { HoldingKey(owner: owner, token: $0) } }
                        ?? []
                ),
                decimals: [pair.base.address, pair.quote.address],
                account: account
            ),
            at: setup.block,
            session: session
        )
        let assembler = BookAssembler(
            exchangeProtocol: session.exchangeProtocol,
            contracts: setup.contracts,
            pricing: pricing,
            weth: session.network.weth,
            timestamp: reads.block.timestamp,
            now: max(reads.block.timestamp, session.environment.now()),
            gasPrice: reads.block.baseFeePerGas ?? setup.fees?.gasPrice,
            account: account,
            expiryMargin: settings.expiryMargin
        )
        let sidesOfBook = assembler.assemble(orders, states: reads.states, holdings: reads.holdings)
        return BookSnapshot(
            pair: Pair(
                base: try pair.base.confirmed(by: reads.decimals[pair.base.address]),
                quote: try pair.quote.confirmed(by: reads.decimals[pair.quote.address])
            ),
            block: reads.block,
            contracts: setup.contracts,
            bids: sidesOfBook.bids,
            asks: sidesOfBook.asks,
            received: book.received,
            verified: book.orders.count,
            dropped: dropped + sidesOfBook.dropped,
            account: account.map {
                reads.account($0, pendingNonce: setup.pendingNonce ?? 0, tokens: tokens)
            },
            fees: setup.fees
        )
    }
}

/// The relay's part of a book, each order verified.
private struct VerifiedBook {
    let orders: [any SignedOrder]
    let dropped: [OrderbookState.Dropped]
    let received: Int

    /// Runs beside the node's first answer, so that no core waits for the network.
    static func read(
        from relay: any RelayClient,
        session: Session,
        pricing: OrderPricing,
        sides: Set<TradeSide>
    ) async -> Result<VerifiedBook, DexError> {
        let book: RelayOrderbook
        do throws(RelayError) {
            book = try await relay.orderbook(base: pricing.base, quote: pricing.quote)
        } catch {
            return .failure(DexError(error))
        }
        var dropped = (book.bids.unreadable + book.asks.unreadable).map {
            OrderbookState.Dropped($0)
        }
        let sent = book.bids.orders + book.asks.orders
        let received = sent.count + dropped.count
        var orders: [any SignedOrder] = []
        orders.reserveCapacity(sent.count)
        for order in sent {
            guard let side = pricing.side(of: order) else {
                dropped.append(OrderbookState.Dropped(order, OrderRejection.wrongTokens))
                continue
            }
            if sides.contains(side) { orders.append(order) }
        }
        let checked = await OrderVerifier(session: session).verify(orders)
        return .success(
            VerifiedBook(
                orders: checked.verified,
                dropped: dropped + checked.dropped,
                received: received
            )
        )
    }
}

extension Token {
    /// The token with the chain's decimals where no list tells them.
    ///
    /// - Throws: `DexError`, exit 6, where the list and the chain contradict each other: every
    ///   amount would be wrong by a power of ten.
    func confirmed(by chain: UInt256?) throws(DexError) -> Token {
        guard let chain else { return self }
        guard let decimals else {
            guard chain <= 255 else { return self }
            return Token(
                address: address,
                symbol: symbol,
                name: name,
                decimals: UInt8(truncatingIfNeeded: chain),
                logoURI: logoURI
            )
        }
        guard chain == UInt256(UInt64(decimals)) else {
            throw DexError(
                .refused,
                code: "decimals-mismatch",
                message: "\(PlainText.clean(symbol)) has \(decimals) decimals in the token map but "
                    + "\(chain) on chain.",
                hint: "Check the contract \(address.checksummed) and the network; amounts would "
                    + "be wrong."
            )
        }
        return self
    }
}
