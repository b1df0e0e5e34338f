package import DexStore
package import Ethereum
import ZeroEx

/// Reads what is beside the book on the full screen: trades, own orders, balances, transactions.
package struct LiveAccountFollower: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: ReadSettings
    private let account: Address?
    private let pulse: RefreshTrigger
    private let send: @Sendable (LiveNews) -> Void

    /// Transactions that are shown at most.
    static let maximumTransactions = 20
    /// Milliseconds between two questions to the swap API.
    static let venueInterval: UInt64 = 15_000
    /// Milliseconds after which own orders are read again although nothing was told of them.
    static let ordersInterval: UInt64 = 30_000

    package init(
        session: Session,
        journal: Journal,
        settings: ReadSettings,
        account: Address?,
        pulse: RefreshTrigger,
        send: @escaping @Sendable (LiveNews) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
        self.account = account
        self.pulse = pulse
        self.send = send
    }

    /// Reads again and again until the task is cancelled; failures are sent as news.
    package func run(_ pair: Pair) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await readBlocks(pair) }
            group.addTask { await readTransactions() }
            if !session.sources.isEmpty { group.addTask { await readVenue(pair) } }
        }
    }

    /// What a reading of transactions or of own orders depends on.
    private struct Cause: Equatable {
        var beat: RefreshTrigger.Beat
        /// nil if it cannot be read: the reading itself says why.
        var journal: JournalMark?
    }

    private var cause: Cause {
        Cause(beat: pulse.beat, journal: try? journal.mark())  // nil: as above
    }

    /// The node is asked at each block, after each change of the journal, and while something is
    /// unsettled.
    private func readTransactions() async {
        guard let account else { return }
        let model = TransactionsModel(session: session, journal: journal)
        var last: Cause?
        var isSettled = false
        repeat {
            let cause = cause
            guard !isSettled || cause != last else { continue }
            isSettled = false
            await sendResult(of: .transactions) { () async throws(DexError) in
                let state = try await model.load(
                    account: account,
                    limit: Self.maximumTransactions,
                    onlyUnsettled: false
                )
                isSettled = state.warnings.isEmpty && !state.rows.contains(where: \.isUnsettled)
                return .transactions(state)
            }
            last = cause
        } while await session.environment.hasSlept(
            isSettled ? session.network.watchInterval : session.network.receiptInterval
        )
    }

    /// Trades and balances change with a block; own orders also with the journal and the relay.
    private func readBlocks(_ pair: Pair) async {
        var last: Cause?
        var readAt: UInt64 = 0
        repeat {
            let (cause, now) = (cause, session.environment.elapsed())
            let isNewBlock = last.map { $0.beat.head != cause.beat.head } ?? true
            guard cause != last || now - min(now, readAt) >= Self.ordersInterval else { continue }
            let isWhole = await readAll(pair, isNewBlock: isNewBlock)
            // What failed is read again.
            last = isWhole ? cause : nil
            readAt = now
        } while await session.environment.hasSlept(session.network.watchInterval)
    }

    /// - Returns: false if a part failed.
    private func readAll(_ pair: Pair, isNewBlock: Bool) async -> Bool {
        var isWhole = await sendResult(of: .alerts) { () async throws(DexError) in
            .alerts(try AlertsModel(session: session, journal: journal).list(for: account))
        }
        if isNewBlock {
            let isRead = await sendResult(of: .trades) { () async throws(DexError) in
                .trades(
                    try await TradesModel(session: session, journal: journal)
                        .load(pairText: pair.addresses.text)
                )
            }
            isWhole = isWhole && isRead
        }
        guard let account else { return isWhole }
        let areGuardsRead = await sendResult(of: .guards) { () async throws(DexError) in
            .guards(try GuardsModel(session: session, journal: journal).waiting(account))
        }
        isWhole = isWhole && areGuardsRead
        let areOrdersRead = await sendResult(of: .orders) { () async throws(DexError) in
            // Without an exchange there are none.
            guard session.network.hasExchange else { return .orders(OwnOrdersState(of: account)) }
            return .orders(
                try await OwnOrdersModel(session: session, journal: journal, settings: settings)
                    .load(account, onlyOpen: true)
            )
        }
        isWhole = isWhole && areOrdersRead
        guard isNewBlock else { return isWhole }
        let areBalancesRead = await sendResult(of: .balances) { () async throws(DexError) in
            var state = try await BalanceModel(session: session, settings: settings).load(
                owner: account,
                tokens: [pair.base.address.checksummed, pair.quote.address.checksummed]
            )
            await OpenPositionsModel(session: session, journal: journal, settings: settings)
                .addCosts(to: &state, of: pair)
            return .balances(state)
        }
        return isWhole && areBalancesRead
    }

    /// The prices for one whole BASE of the first venue beside the book that has any.
    private func readVenue(_ pair: Pair) async {
        guard let unit = PriceBounds.powerOfTen(UInt(pair.base.decimals ?? 0)) else { return }
        repeat {
            var failure: DexError?
            var venue: LiveVenue?
            for source in session.sources where venue == nil {
                async let buy = price(.buy, unit, pair, source)
                async let sell = price(.sell, unit, pair, source)
                switch await (buy, sell) {
                case (.failure(let error), .failure):
                    // A venue that the chain or the pair does not have is no trouble.
                    if !error.concerns(.absentPools) { failure = failure ?? error }
                case (let buy, let sell):
                    venue = LiveVenue(
                        name: source.source.rules.name,
                        buy: try? buy.get(),  // nil: only the other side has a price
                        sell: try? sell.get()  // nil: as above
                    )
                }
            }
            send(.trouble(.venue, venue == nil ? failure : nil))
            send(.venue(venue))
        } while await session.environment.hasSlept(Self.venueInterval)
    }

    private func price(
        _ side: TradeSide,
        _ amount: UInt256,
        _ pair: Pair,
        _ source: VenueSource
    ) async -> Result<Price, DexError> {
        let quoting = SwapQuoting(
            session: session,
            at: source,
            trade: SwapTrade(
                side: side,
                pair: pair,
                size: .base(amount),
                limit: .slippage(TradeSettings().slippage)
            ),
            account: account
        )
        return await quoting.price().flatMap { price in
            guard let average = PriceState.Offer(price, of: quoting).average else {
                return .failure(DexError(ChainError.nonsense("a price of zero")))
            }
            return .success(average)
        }
    }

    /// - Returns: false if it failed.
    @discardableResult
    private func sendResult(
        of source: LiveSource,
        _ read: () async throws(DexError) -> LiveNews
    ) async -> Bool {
        do throws(DexError) {
            send(try await read())
            send(.trouble(source, nil))
            return true
        } catch {
            if !Task.isCancelled { send(.trouble(source, error)) }
            return false
        }
    }
}
