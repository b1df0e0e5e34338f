package import Ethereum
import ZeroEx

/// Reads a pair's book for trading.
package struct BookReader: Sendable {
    let session: Session
    var settings = ReadSettings()

    /// The book in two rounds of requests, for any number of orders.
    ///
    /// The first reads the relay's book and the chain's setup, the second all order data at one
    /// block. If orders charge a fee in a third token, the best orders of that token against QUOTE
    /// and BASE are read in between.
    ///
    /// - Parameters:
    ///   - account: also reads its nonce, ether, balances and allowances.
    ///   - sides: `.buy` reads the asks, `.sell` the bids; orders of other sides are counted as
    ///     received, and the best few of them are read for the mid.
    /// - Throws: `DexError`: no relay, not reachable, another chain, no exchange, other decimals.
    package func snapshot(
        of pair: Pair,
        account: Address? = nil,
        sides: Set<TradeSide> = [.buy, .sell]
    ) async throws(DexError) -> BookSnapshot {
        let relay = try session.requiredRelay()
        let pricing = OrderPricing(base: pair.base.address, quote: pair.quote.address)
        let verifier = OrderVerifier(session: session)
        let (arrivals, feed) = AsyncStream.makeStream(of: [any SignedOrder].self)
        let (observations, sight) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        async let verdicts = verifier.verdicts(on: arrivals)
        async let relayed = RelayedBook.read(
            from: relay,
            pricing: pricing,
            sides: sides,
            feed: feed,
            fees: sight
        )
        // The node's answer comes first: the error of a wrong chain takes precedence.
        let setup = try await ChainSetup.read(session, account: account)
        let feeToken = setup.contracts.feeToken.flatMap {
            [pair.base.address, pair.quote.address].contains($0) ? nil : $0
        }
        async let feeReading = FeeBook.read(
            of: feeToken,
            against: pair,
            when: observations,
            session: session
        )
        let book = try await relayed.get()
        let feeOrders = await feeReading.candidates(at: setup.block)
        async let feeChecking = verifier.verify(feeOrders)
        let opposite = book.opposite(at: setup.block)
        async let oppositeChecking = verifier.verify(opposite)
        // Requested during the verification, so that it takes no extra time; the answers for
        // invalid orders are not used.
        let (candidates, areDistinct) = book.candidates(at: setup.block)
        let tokens = Set(
            [pair.base.address, pair.quote.address, setup.contracts.feeToken].compactMap { $0 }
        )
        let reads = try await FundingReads.read(
            FundingReads.Question(
                orders: candidates + feeOrders + opposite,
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
        let assembling = { (pricing: OrderPricing) in
            BookAssembler(
                exchangeProtocol: session.exchangeProtocol,
                contracts: setup.contracts,
                pricing: pricing,
                weth: session.network.weth,
                timestamp: reads.block.timestamp,
                now: max(reads.block.timestamp, session.environment.now()),
                gasPrice: reads.block.baseFeePerGas ?? setup.account?.fees.gasPrice,
                account: account,
                settings: settings,
                revision: session.network.fees.revision(in: reads.block)
            )
        }
        var feeRate: FeeRate?
        if let feeToken, !feeOrders.isEmpty {
            let verified = await feeChecking.verified
            let states = Self.states(of: feeOrders, reads.states.dropFirst(candidates.count))
            let charged = candidates.reduce(UInt256.zero) { $0.addingSaturating($1.takerFee) }
            let depth = min(charged, settings.takerFees.amount)
            func rate(against token: Token) async -> FeeRate? {
                let pricing = OrderPricing(base: feeToken, quote: token.address)
                let orders = verified.filter { pricing.side(of: $0) != nil }
                let sides = await assembling(pricing).assemble(
                    orders,
                    states: orders.compactMap { states[$0.copyID] },
                    holdings: reads.holdings
                )
                return FeeRate(token: feeToken, asks: sides.asks, bids: sides.bids, depth: depth)
            }
            feeRate = await rate(against: pair.quote)
            if feeRate == nil, let inBase = await rate(against: pair.base) {
                let own = await verifier.verify(
                    book.orders,
                    verdicts: verdicts,
                    areDistinct: areDistinct
                ).verified
                let states = Self.states(of: candidates, reads.states[...])
                let orders = own.filter { $0.takerFee == .zero && states[$0.copyID] != nil }
                let sides = await assembling(pricing).assemble(
                    orders,
                    states: orders.compactMap { states[$0.copyID] },
                    holdings: reads.holdings
                )
                feeRate = FeeRate(by: inBase, asks: sides.asks, bids: sides.bids, depth: depth)
            }
        }
        let assembler = assembling(
            OrderPricing(base: pair.base.address, quote: pair.quote.address, feeRate: feeRate)
        )
        // Built during signature recovery, assuming that all are valid, as on an honest relay;
        // otherwise built again from the valid ones.
        var materials = BookMaterials(
            assembler: assembler,
            orders: candidates,
            states: reads.states,
            holdings: reads.holdings
        )
        async let hopeful = materials.sides()
        let checked = await verifier.verify(
            book.orders,
            verdicts: verdicts,
            areDistinct: areDistinct
        )
        let audit = RelayAudit(of: book.relays, checked, misplaced: book.misplaced)
        // Two relays may have an order with different valid signatures: that is no fault.
        let faults =
            audit.relays == nil
            ? checked.dropped : checked.dropped.filter { $0.reason != .duplicate }
        var dropped = book.dropped + faults
        var sidesOfBook = await hopeful
        if checked.dropped.isEmpty, !audit.leavesOut {
            // All orders are there once: the others had expired.
            for order in checked.verified where !book.isCandidate(order, at: setup.block) {
                dropped.append(OrderbookState.Dropped(order, .expired))
            }
        } else {
            let states = Self.states(of: candidates, reads.states[...])
            var live: [(order: any SignedOrder, state: OrderState)] = []
            live.reserveCapacity(checked.verified.count)
            for order in checked.verified {
                if !audit.counts(order) {
                    dropped.append(OrderbookState.Dropped(order, .leftOutRelay))
                } else if let state = states[order.copyID] {
                    live.append((order, state))
                } else {
                    dropped.append(OrderbookState.Dropped(order, .expired))
                }
            }
            materials.orders = live.map(\.order)
            materials.states = live.map(\.state)
            sidesOfBook = await materials.sides()
        }
        // By themselves: a trade of one side leaves what the other side draws on.
        let others = await oppositeChecking.verified.filter(audit.counts)
        let otherStates = Self.states(
            of: opposite,
            reads.states.dropFirst(candidates.count + feeOrders.count)
        )
        let beside = await assembler.assemble(
            others,
            states: others.compactMap { otherStates[$0.copyID] },
            holdings: reads.holdings
        )
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
            verified: checked.verified.count,
            dropped: dropped + sidesOfBook.dropped,
            account: try setup.account.map { head throws(DexError) in
                try reads.account(head, tokens: tokens)
            },
            fees: setup.account?.fees,
            feeRate: feeRate,
            relays: audit.relays,
            shortfall: book.shortfall,
            materials: materials,
            oppositeBest: BookDepth(beside.bids, side: .sell).best
                ?? BookDepth(beside.asks, side: .buy).best
        )
    }

    /// The state of each copy: a contract may check its signature, so a forged copy has a different
    /// one.
    private static func states(
        of orders: [any SignedOrder],
        _ states: ArraySlice<OrderState>
    ) -> [OrderCopyID: OrderState] {
        var byCopy: [OrderCopyID: OrderState] = [:]
        byCopy.reserveCapacity(orders.count)
        for (order, state) in zip(orders, states) { byCopy[order.copyID] = state }
        return byCopy
    }
}

/// The relay's part of a book, not yet verified.
private struct RelayedBook {
    /// The orders of the requested sides.
    let orders: [any SignedOrder]
    let dropped: [OrderbookState.Dropped]
    let received: Int
    /// Who showed what; nil if one relay was asked.
    let relays: RelayProvenance?
    /// Why there may be more orders; nil if the relay's list is whole.
    let shortfall: RelayShortfall?
    /// Orders of other tokens.
    let misplaced: [OrderCopyID]
    /// The best orders of the side that was not requested, by the relay's word.
    private let best: [any SignedOrder]

    /// Some may be unfunded; a relay that sends only such orders hides the mid, which is said.
    private static let maximumOpposite = 16

    /// Runs during the node's first answer; the feed gets every order of the sides at once.
    ///
    /// - Parameter fees: gets an element if orders charge their taker.
    static func read(
        from relay: any RelayClient,
        pricing: OrderPricing,
        sides: Set<TradeSide>,
        feed: AsyncStream<[any SignedOrder]>.Continuation,
        fees: AsyncStream<Void>.Continuation
    ) async -> Result<RelayedBook, DexError> {
        defer {
            feed.finish()
            fees.finish()
        }
        let book: RelayOrderbook
        do throws(RelayError) {
            book = try await relay.orderbook(base: pricing.base, quote: pricing.quote) { orders in
                let wanted = orders.filter { pricing.side(of: $0).map(sides.contains) ?? false }
                if wanted.contains(where: { $0.takerFee != .zero }) { fees.yield() }
                feed.yield(wanted)
            }
        } catch {
            return .failure(DexError(error))
        }
        var dropped = OrderbookState.Dropped.list(book.bids.unreadable, book.asks.unreadable)
        let sent = book.bids.orders + book.asks.orders
        let received = sent.count + dropped.orderCount
        var orders: [any SignedOrder] = []
        orders.reserveCapacity(sent.count)
        var misplaced: [OrderCopyID] = []
        var others: [(order: any SignedOrder, price: Price)] = []
        for order in sent {
            guard let side = pricing.side(of: order) else {
                dropped.append(OrderbookState.Dropped(order, .rejected(.wrongTokens)))
                misplaced.append(order.copyID)
                continue
            }
            if sides.contains(side) {
                orders.append(order)
            } else if let price = try? pricing.price(of: order, feeToken: nil) {  // nil: no price
                // A taker of the other side sells to the highest bid, or buys from the lowest ask.
                let place = others.lastIndex {
                    sides.contains(.buy) ? $0.price >= price : $0.price <= price
                }
                others.insert((order, price), at: place.map { $0 + 1 } ?? 0)
                if others.count > Self.maximumOpposite { others.removeLast() }
            }
        }
        return .success(
            RelayedBook(
                orders: orders,
                dropped: dropped,
                received: received,
                relays: book.relays,
                shortfall: book.shortfall,
                misplaced: misplaced,
                best: others.map(\.order)
            )
        )
    }

    /// The best orders of the side that was not requested, each copy once; unexpired ones.
    func opposite(at block: Block) -> [any SignedOrder] {
        var copies: Set<OrderCopyID> = []
        return best.filter { copies.insert($0.copyID).inserted && isCandidate($0, at: block) }
    }

    /// Each unexpired copy of an order at a block's time, and whether all orders are distinct.
    ///
    /// The forged one of two copies is not known yet, so both are read.
    func candidates(at block: Block) -> (orders: [any SignedOrder], areDistinct: Bool) {
        var hashes: Set<OrderHash> = []
        hashes.reserveCapacity(orders.count)
        let areDistinct = orders.allSatisfy { hashes.insert($0.hash).inserted }
        var copies: Set<OrderCopyID> = []
        let candidates = orders.filter { order in
            (areDistinct || copies.insert(order.copyID).inserted) && isCandidate(order, at: block)
        }
        return (candidates, areDistinct)
    }

    func isCandidate(_ order: any SignedOrder, at block: Block) -> Bool {
        order.expiry > UInt256(block.timestamp)
    }
}

extension Token {
    /// The token with the chain's decimals if no list has them.
    ///
    /// - Throws: `DexError`, exit 6, if list and chain contradict each other: every amount would be
    ///   wrong by a power of ten.
    func confirmed(by chain: UInt256?) throws(DexError) -> Token {
        guard let chain else { return self }
        guard let decimals else {
            guard chain <= 255 else { return self }
            return with(decimals: UInt8(truncatingIfNeeded: chain))
        }
        guard chain == UInt256(UInt64(decimals)) else {
            throw TokenError.otherDecimals(symbol: symbol, address, listed: decimals, chain: chain)
        }
        return self
    }
}
