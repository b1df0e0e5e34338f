import DexStore
package import Ethereum
import StrictJSON
import ZeroEx

/// Fills one order, chosen by its hash or given in signed form.
package struct FillModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: FillRequest) -> String {
        "reading the order"
    }

    /// The fill as of now; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 if it is not allowed, 10 if it would fail.
    package func plan(
        _ request: FillRequest,
        account: Address
    ) async throws(DexError) -> Plan<TradePlan> {
        let conflicts = InFlight.ConflictPolicy.move(.fill, isAllowed: settings.allowsPending)
        return try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in
                let (order, relays, reported) = try await order(request.source)
                let trade = try await prepare(
                    order,
                    amount: request.amount,
                    account: account,
                    paying: nil,
                    reported: reported
                )
                var planned = trade.planned("fill", context)
                planned.content.relays = relays
                planned.content.namesOrder = true
                return planned
            }
    }

    /// The fill of an order as it is now, of exactly what a confirmed plan pays.
    func prepare(
        _ order: any SignedOrder,
        again plan: TradePlan
    ) async throws(DexError) -> BookStep {
        try await prepare(
            order,
            amount: nil,
            account: plan.account,
            paying: plan.maximumPay,
            wasCompared: plan.impactBasisPoints != nil
        )
    }

    /// - Returns: also the relays that show it, and sentences about those left out; both are empty
    ///   with one relay.
    private func order(
        _ source: FillRequest.Source
    ) async throws(DexError) -> (order: any SignedOrder, relays: [String], reported: [String]) {
        switch source {
        case .hash(let hash):
            let finder = OrderFinder(session: session, journal: journal)
            guard let found = try await finder.find(hash) else {
                throw BookError.unknownOrder(hash, network: session.network.name)
            }
            return (found.order, found.relays, found.warnings)
        case .signed(let text):
            let json: JSONValue
            do {
                json = try JSONParser.parse(Array(text.utf8))
            } catch {
                throw DexError(OrderError.notAnOrder)
            }
            let order = try reported(
                OrderError.self,
                try session.exchangeProtocol.decodeHandedOrder(json)
            )
            return (order, [], [])
        }
    }

    /// - Parameters:
    ///   - paying: the exact confirmed amount of taker token.
    ///   - wasCompared: the confirmed price was compared with a book, so this one must be.
    ///   - reported: sentences about relays that were left out.
    private func prepare(
        _ order: any SignedOrder,
        amount: String?,
        account: Address,
        paying: UInt256?,
        wasCompared: Bool = false,
        reported: [String] = []
    ) async throws(DexError) -> BookStep {
        if let rejection = session.rejection(of: order) { throw DexError(rejection) }
        let inspector = OrderInspector(session: session, settings: settings.reading)
        let prices = FillPriceCheck(session: session, settings: settings)
        async let bookResult = prices.book(of: order, account: account)
        let inspection = try await inspector.rows(for: [order], account: account)
        guard let row = inspection.rows.first, let state = inspection.account,
            let fees = inspection.fees
        else {
            throw TradeError.badOrder(inspection.dropped.first?.reason)
        }
        try inspection.checkDecimals(of: order, session.tokens)
        try checkFlags(row, account: account, block: inspection.block)
        let pay =
            if let paying { paying } else {
                try takerAmount(
                    of: row,
                    amount: amount,
                    account: state,
                    contracts: inspection.contracts
                )
            }
        var route = try route(row, paying: pay, contracts: inspection.contracts)
        let reading = try await bookResult.get()
        // The maker's counterpart.
        let side: TradeSide = row.side == .buy ? .sell : .buy
        let warnings = try prices.compare(&route, of: row.pair, side, with: reading)
        if wasCompared, let gap = prices.gap(route, reading) {
            throw TradeError.referenceUnread(gap)
        }
        let context = TradeContext(
            source: .order(order),
            pair: row.pair,
            side: side,
            block: inspection.block,
            contracts: inspection.contracts,
            account: state,
            fees: fees,
            mid: reading.mid,
            warnings: warnings + reported.filter { !warnings.contains($0) }
                + [row.pair.base, row.pair.quote].flatMap { session.tokens.warnings(for: $0) }
        )
        try checkFee(of: route, order: order, contracts: inspection.contracts)
        var trade = try await TradePreparer(session: session, journal: journal, settings: settings)
            .prepare(route, in: context)
        if let gap = prices.gap(route, reading) {
            try UncheckedPrice(reason: gap, hasLimit: paying != nil, limitFlag: nil)
                .check(&trade.plan, network: session.network, settings: settings)
        }
        return trade
    }

    private func checkFlags(
        _ row: OrdersState.Row,
        account: Address,
        block: Block
    ) throws(DexError) {
        let only = row.order.reservation(against: account)?.checksummed ?? "another account"
        let margin = ExpiryMargin(of: row.order, at: block, session, settings.reading)
        let reasons: [(OrderFlag, String)] = [
            (.expiring, "it \(margin.words)"),
            (
                .otherTaker,
                row.order.isQuote && row.order.sender != account
                    ? "it is an RFQ order, and only \(row.order.sender.checksummed) (its txOrigin) "
                        + "may send the transaction that fills it"
                    : "only \(only) may fill it"
            ),
            (.own, "it is the account's own order"),
            (.unfunded, "its maker lacks the balance or the allowance"),
            (.unreadable, "its maker's balance or allowance could not be read"),
        ]
        for (flag, reason) in row.endings + reasons where row.flags.contains(flag) {
            throw TradeError.notFillable(
                row.order.hash,
                flag,
                reason: reason,
                remedy: margin.remedy
            )
        }
    }

    /// The taker fee of the order is within the cap.
    private func checkFee(
        of route: TradeRoute,
        order: any SignedOrder,
        contracts: ExchangeContracts
    ) throws(DexError) {
        let token = session.exchangeProtocol.feeToken(of: order, contracts: contracts)
        guard settings.takerFees.isExceeded(by: route.maximumFee, of: order, in: token) else {
            return
        }
        let known = session.tokens.known(token) ?? .unknown(token)
        throw TradeError.takerFeeAboveCap(route.maximumFee, known)
    }

    private func takerAmount(
        of row: OrdersState.Row,
        amount: String?,
        account: AccountSnapshot,
        contracts: ExchangeContracts
    ) throws(DexError) -> UInt256 {
        let share: UInt64
        switch try amount.map({ text throws(DexError) in try AmountExpression(text) }) {
        case .number(let number)?:
            return try takerAmount(of: row, base: TokenAmount.positive(number, of: row.pair.base))
        case .share(let part)?: share = part
        case nil: share = 10_000
        }
        let affordable = try affordable(row, account: account, contracts: contracts)
        let pay = min(row.fillable, affordable)
        guard pay > .zero else {
            throw FundsError.nothingToPayWith(
                row.taker.token,
                wanted: row.fillable,
                network: session.network
            )
        }
        return try SpendableFunds.part(share, of: pay, row.taker.token)
    }

    /// The taker amount that fills an amount of BASE, in base units.
    private func takerAmount(
        of row: OrdersState.Row,
        base: UInt256
    ) throws(DexError) -> UInt256 {
        let exchange = session.exchangeProtocol
        let pay = row.side == .buy ? base : exchange.takerAmount(of: row.order, for: base)
        guard let pay, pay <= row.fillable else {
            let maximum =
                row.side == .buy
                ? row.fillable
                : exchange.makerAmount(of: row.order, filling: row.fillable) ?? .zero
            throw TradeError.amountTooLarge(maximum: maximum, base: row.pair.base)
        }
        // The next larger fill would buy more than requested.
        if row.side == .sell, exchange.purchase(of: row.order, wanting: base) != pay {
            throw Self.roundingError
        }
        return pay
    }

    private static let roundingError = TradeError.rounding

    /// The fill that the balance pays, with the fee if it is in the same token.
    private func affordable(
        _ row: OrdersState.Row,
        account: AccountSnapshot,
        contracts: ExchangeContracts
    ) throws(DexError) -> UInt256 {
        let order = row.order
        let balance = try account.balance(of: row.taker.token)
        guard order.takerFee > .zero,
            session.exchangeProtocol.feeToken(of: order, contracts: contracts) == order.takerToken
        else { return balance }
        let (whole, overflow) = order.takerAmount.addingReportingOverflow(order.takerFee)
        guard !overflow else { return .zero }
        return UInt256.mulDiv(balance, order.takerAmount, whole)?.quotient ?? .zero
    }

    private func route(
        _ row: OrdersState.Row,
        paying pay: UInt256,
        contracts: ExchangeContracts
    ) throws(DexError) -> TradeRoute {
        let exchange = session.exchangeProtocol
        guard pay <= row.fillable else {
            throw TradeError.orderMoved
        }
        guard !exchange.hasRoundingError(row.order, filling: pay),
            let receive = exchange.makerAmount(of: row.order, filling: pay), receive > .zero
        else {
            throw Self.roundingError
        }
        let fee = exchange.takerFee(of: row.order, filling: pay)
        let leg = TradeRoute.Leg(
            order: row.order,
            price: row.price,
            pay: pay,
            receive: receive,
            fee: fee,
            remaining: row.state.remaining
        )
        let isFeeInPay =
            exchange.feeToken(of: row.order, contracts: contracts) == row.order.takerToken
        let cost = isFeeInPay ? pay.addingSaturating(fee) : pay
        return TradeRoute(
            style: .single,
            legs: [leg],
            backups: [],
            pay: pay,
            maximumPay: pay,
            receive: receive,
            minimumReceive: receive,
            fee: fee,
            maximumFee: fee,
            cost: cost,
            maximumCost: cost,
            average: row.price,
            worst: row.price,
            impactBasisPoints: nil
        )
    }
}
