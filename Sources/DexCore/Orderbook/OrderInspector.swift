package import Ethereum
import StrictJSON
package import ZeroEx

/// Reads the state of any list of orders, with the same reads as for the book.
package struct OrderInspector: Sendable {
    let session: Session
    var settings = ReadSettings()

    /// One row for each valid order, in order, and everything read with them.
    ///
    /// Each order's `fillable` is for that order alone: unlike in a book, nothing is netted.
    ///
    /// - Parameters:
    ///   - account: also reads its nonce, ether, balances and allowances.
    ///   - own: the orders in the journal.
    ///   - served: the orders that the relay serves; nil if all of them came from it.
    ///   - relays: the relays that show each order; empty with one relay.
    /// - Throws: `DexError`: not reachable, another chain, no exchange.
    package func rows(
        for orders: [any SignedOrder],
        account: Address? = nil,
        own: Set<OrderHash> = [],
        served: Set<OrderHash>? = nil,
        relays: [OrderCopyID: [String]] = [:]
    ) async throws(DexError) -> OrderInspection {
        async let checking = OrderVerifier(session: session).verify(orders)
        let setup = try await ChainSetup.read(session, account: account)
        let checked = await checking
        return try await inspect(
            checked.verified,
            dropped: checked.dropped,
            setup: setup,
            account: account,
            own: own,
            served: served,
            relays: relays
        )
    }

    /// The second round, for callers that have done the first.
    ///
    /// - Parameter orders: verified.
    func inspect(
        _ orders: [any SignedOrder],
        dropped: [OrderbookState.Dropped],
        setup: ChainSetup,
        account: Address?,
        own: Set<OrderHash>,
        served: Set<OrderHash>?,
        relays: [OrderCopyID: [String]] = [:]
    ) async throws(DexError) -> OrderInspection {
        let contracts = setup.contracts
        let addresses = Set(orders.flatMap { [$0.makerToken, $0.takerToken] })
        let accountTokens = addresses.union([contracts.feeToken].compactMap { $0 })
        async let naming = Result { () async throws(DexError) in
            try await TokenResolver(session: session).tokens(at: addresses.sorted())
        }
        let reads = try await FundingReads.read(
            FundingReads.Question(
                orders: orders,
                contracts: contracts,
                holdings: Set(
                    account.map { owner in
                        accountTokens.map { HoldingKey(owner: owner, token: $0) }
                    } ?? []
                ),
                decimals: addresses.sorted(),
                account: account,
                checksReadiness: false
            ),
            at: setup.block,
            session: session
        )
        var tokens = try await naming.get()
        var audit = DecimalsAudit()
        for address in addresses.sorted() {
            tokens[address] = tokens[address].map {
                audit.token($0, onChain: reads.decimals[address])
            }
        }
        var dropped = dropped
        let builder = RowBuilder(
            session: session,
            contracts: contracts,
            timestamp: reads.block.timestamp,
            now: max(reads.block.timestamp, session.environment.now()),
            settings: settings,
            account: account,
            capacity: FillCapacity(
                holdings: reads.holdings,
                exchangeProtocol: session.exchangeProtocol,
                contracts: contracts
            )
        )
        var rows: [OrdersState.Row] = []
        rows.reserveCapacity(orders.count)
        for (order, state) in zip(orders, reads.states) {
            if case .rejected(let rejection) = state.status {
                dropped.append(OrderbookState.Dropped(order, .rejected(rejection)))
                continue
            }
            let row = builder.row(
                order,
                state: state,
                makerToken: tokens[order.makerToken],
                takerToken: tokens[order.takerToken],
                isOwn: own.contains(order.hash) || order.maker == account,
                isOnRelay: served?.contains(order.hash) ?? true
            )
            if var row {
                row.relays = relays[order.copyID] ?? []
                rows.append(row)
            } else {
                dropped.append(OrderbookState.Dropped(order, .rejected(.zeroAmount)))
            }
        }
        var inspection = OrderInspection(
            rows: rows,
            dropped: dropped,
            block: reads.block,
            contracts: contracts,
            account: try setup.account.map { head throws(DexError) in
                try reads.account(head, tokens: accountTokens)
            },
            fees: setup.account?.fees
        )
        inspection.holdings = reads.holdings
        inspection.decimals = reads.decimals
        inspection.warnings = audit.warnings
        return inspection
    }
}

/// Orders with their state, all at one block.
package struct OrderInspection: Sendable {
    package let rows: [OrdersState.Row]
    package let dropped: [OrderbookState.Dropped]
    package let block: Block
    package let contracts: ExchangeContracts
    /// The account's balances of all tokens of the orders and the fee token; nil if no account
    /// was given.
    package let account: AccountSnapshot?
    package let fees: FeeSnapshot?
    /// The holdings of the makers and the account.
    var holdings: [HoldingKey: Holding] = [:]
    /// What the tokens' contracts say, without those that say nothing.
    fileprivate(set) var decimals: [Address: UInt256] = [:]
    /// Sentences about tokens whose decimals are wrong in the token map, or could not be read.
    package fileprivate(set) var warnings: [String] = []

    /// - Throws: `DexError`, exit 6, `decimals-mismatch`, if the token map contradicts a contract:
    ///   nothing may be traded by such amounts.
    func checkDecimals(of order: any SignedOrder, _ tokens: TokenMap) throws(DexError) {
        for address in [order.makerToken, order.takerToken] {
            _ = try tokens.known(address)?.confirmed(by: decimals[address])
        }
    }
}

private struct RowBuilder {
    let session: Session
    let contracts: ExchangeContracts
    let timestamp: UInt64
    /// Not before the block.
    let now: UInt64
    let settings: ReadSettings
    let account: Address?
    let capacity: FillCapacity

    func row(
        _ order: any SignedOrder,
        state: OrderState,
        makerToken: Token?,
        takerToken: Token?,
        isOwn: Bool,
        isOnRelay: Bool
    ) -> OrdersState.Row? {
        let makerToken = makerToken ?? .unknown(order.makerToken)
        let takerToken = takerToken ?? .unknown(order.takerToken)
        let pair = QuoteRank(session: session).pair(makerToken, takerToken)
        // The maker's side in BASE: it sells what it gives.
        let side: TradeSide = makerToken == pair.base ? .sell : .buy
        let fill = capacity.fill(of: order, remaining: state.remaining)
        let isExpired = order.expiry <= UInt256(timestamp)
        guard let price = price(of: order, pair: pair) else { return nil }
        return OrdersState.Row(
            order: order,
            wire: session.exchangeProtocol.encodeOrder(order).text,
            maker: TokenAmount(raw: order.makerAmount, token: makerToken),
            taker: TokenAmount(raw: order.takerAmount, token: takerToken),
            pair: pair,
            side: side,
            price: price,
            state: state,
            standing: standing(order, state, fill, isExpired: isExpired),
            fillable: isExpired ? 0 : fill.taker,
            flags: flags(order, state, fill, isExpired: isExpired, isOwn: isOwn),
            isOwn: isOwn,
            isOnRelay: isOnRelay
        )
    }

    /// The taker's price, including a fee in one of the two tokens; nil only for an amount of zero,
    /// which no verified order has.
    private func price(of order: any SignedOrder, pair: Pair) -> Price? {
        let pricing = OrderPricing(base: pair.base.address, quote: pair.quote.address)
        let feeToken = session.exchangeProtocol.feeToken(of: order, contracts: contracts)
        return (try? pricing.price(of: order, feeToken: feeToken))  // nil: a fee above the amount
            ?? (try? pricing.price(of: order, feeToken: nil))  // nil: an amount of zero
    }

    private func standing(
        _ order: any SignedOrder,
        _ state: OrderState,
        _ fill: FillCapacity.Fill,
        isExpired: Bool
    ) -> OrdersState.Standing {
        switch state.status {
        case .filled: return .filled
        case .cancelled: return .cancelled
        case .expired: return .expired
        case .open, .rejected: break
        }
        if isExpired { return .expired }
        if fill.obstacle == .unreadable { return .unknown }
        if fill.taker == .zero { return .unfunded }
        if fill.isLimitedByFunds { return .halfFunded }
        return state.filled == .zero ? .open : .partlyFilled
    }

    private func flags(
        _ order: any SignedOrder,
        _ state: OrderState,
        _ fill: FillCapacity.Fill,
        isExpired: Bool,
        isOwn: Bool
    ) -> [OrderFlag] {
        var flags: Set<OrderFlag> = []
        if isOwn { flags.insert(.own) }
        if order.reservation(against: account) != nil { flags.insert(.otherTaker) }
        let charged = session.exchangeProtocol.takerFee(of: order, filling: state.remaining)
        let feeToken = session.exchangeProtocol.feeToken(of: order, contracts: contracts)
        if settings.takerFees.isExceeded(by: charged, of: order, in: feeToken) {
            flags.insert(.takerFee)
        }
        if state.remaining == .zero {
            flags.insert(state.status == .cancelled ? .cancelled : .filled)
        } else {
            if state.remaining < order.takerAmount { flags.insert(.partlyFilled) }
            if fill.obstacle == .unreadable {
                flags.insert(.unreadable)
            } else if fill.obstacle == .unfunded {
                flags.insert(.unfunded)
            } else if fill.isLimitedByFunds {
                flags.insert(.partlyFunded)
            }
        }
        let (limit, overflow) = now.addingReportingOverflow(settings.expiryMargin)
        if isExpired {
            flags.insert(.expired)
        } else if order.expiry <= UInt256(overflow ? .max : limit) {
            flags.insert(.expiring)
        }
        return OrderFlag.allCases.filter(flags.contains)
    }
}

extension Token {
    /// An unknown token: its shortened address, and base units.
    static func unknown(_ address: Address) -> Token {
        Token(address: address, symbol: address.shortened, name: "", decimals: nil)
    }
}
