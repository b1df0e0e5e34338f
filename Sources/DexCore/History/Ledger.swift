import DexStore
import Ethereum
import ZeroEx

/// Makes rows and positions from trades, in chain order.
struct Ledger {
    let account: Address
    let session: Session
    let tokens: [Address: Token]
    /// nil if the node did not report them.
    let contracts: ExchangeContracts?
    /// Seconds since 1970.
    let since: UInt64?

    private(set) var rows: [HistoryState.Row] = []
    private(set) var books: [Key: Book] = [:]
    /// The shown transactions of the account whose cost is not known.
    private(set) var unknownCosts = 0

    /// A pair, whatever its tokens are called.
    struct Key: Hashable {
        let base: Address
        let quote: Address
    }

    /// What is summed up of a pair.
    struct Book {
        let pair: Pair
        var profit = ProfitBook()
        var fills = 0
        var unproven = 0
        var bought = UInt256.zero
        var cost = UInt256.zero
        var sold = UInt256.zero
        var proceeds = UInt256.zero
        var averageProfit = SignedAmount.zero
        var fifoProfit = SignedAmount.zero
        var uncovered = UInt256.zero
        /// By token.
        var fees: [Address: UInt256] = [:]
        var gas = GasSum()
    }

    var positions: [HistoryState.Position] {
        books.values.filter { $0.fills > 0 || $0.gas != GasSum() }.map { book in
            HistoryState.Position(
                pair: book.pair,
                fills: book.fills,
                unproven: book.unproven,
                bought: book.bought,
                cost: book.cost,
                sold: book.sold,
                proceeds: book.proceeds,
                held: book.profit.held,
                heldAverageCost: book.profit.averageCost,
                heldFIFOCost: book.profit.fifoCost,
                averageProfit: book.averageProfit,
                fifoProfit: book.fifoProfit,
                uncovered: book.uncovered,
                fees: fees(book.fees),
                gas: book.gas.total,
                isInEther: isEther(book.pair.quote)
            )
        }.sorted {
            ($0.pair.name, $0.pair.base.address) < ($1.pair.name, $1.pair.base.address)
        }
    }

    /// By token; the exchange's single fee token is included even if zero.
    private func fees(_ paid: [Address: UInt256]) -> [TokenAmount] {
        var paid = paid
        if let token = contracts?.feeToken, paid[token] == nil { paid[token] = .zero }
        return paid.sorted { $0.key < $1.key }.map { address, amount in
            TokenAmount(raw: amount, token: tokens[address] ?? .unknown(address))
        }
    }

    mutating func add(_ mined: MinedTrades) {
        let own = mined.trades.filter { $0.concerns(account) }
        let isPaidByUs = mined.sender == account
        let cost = mined.gasCost(hasRollupFee: session.network.fees.hasRollupFee)
        if isPaidByUs, cost == nil, !own.isEmpty, isShown(mined) { unknownCosts += 1 }
        for (index, trade) in own.enumerated() {
            let gas = isPaidByUs ? cost.map { Self.share(of: $0, index, own.count) } : nil
            add(trade, of: mined, gas: gas)
        }
    }

    /// Equal shares that add up to the whole: the first one gets the remainder.
    private static func share(of gas: Wei, _ index: Int, _ count: Int) -> Wei {
        let (quotient, remainder) = gas.rawValue.quotientAndRemainder(
            dividingBy: UInt256(UInt64(count))
        )
        return Wei(UInt256(UInt64(index)) < remainder ? quotient + 1 : quotient)
    }

    private func isShown(_ mined: MinedTrades) -> Bool {
        since.map { since in mined.time.map { $0 >= since } ?? true } ?? true
    }

    private mutating func add(_ trade: MinedTrades.Trade, of mined: MinedTrades, gas: Wei?) {
        let isPaidByUs = mined.sender == account
        var sums: Sums
        switch trade.event {
        case .fill(let fill):
            sums = self.sums(of: fill, brought: trade.arrival(at: account)?.amount, gas: gas)
            sums.isUnproven =
                trade.brought(account) != nil && trade.arrival(at: account)?.amount == nil
        case .cancel(let cancel): sums = self.sums(of: cancel)
        }
        if isPaidByUs, gas == nil, isEther(sums.pair.quote) { sums.effectivePrice = nil }
        let isShown = isShown(mined)
        let key = Key(base: sums.pair.base.address, quote: sums.pair.quote.address)
        var book = books[key] ?? Book(pair: sums.pair)
        let profit = enter(sums, into: &book, gas: isPaidByUs ? .some(gas) : nil, isShown: isShown)
        books[key] = book
        guard isShown else { return }
        rows.append(
            HistoryState.Row(
                kind: sums.kind,
                role: sums.role,
                orderHash: trade.orderHash,
                transaction: mined.transaction,
                block: mined.block,
                logIndex: trade.logIndex,
                time: mined.time,
                pair: sums.pair,
                side: sums.side,
                base: sums.base,
                quote: sums.quote,
                fee: sums.fee,
                feeToken: sums.feeToken,
                gas: gas,
                counterparty: sums.counterparty,
                price: sums.price,
                effectivePrice: sums.effectivePrice,
                profit: profit,
                isUnproven: sums.isUnproven
            )
        )
    }

    /// Costs include all trades; bought, sold and earned sums only the shown ones.
    ///
    /// - Parameter gas: `.some(nil)` if it is not known, nil if another account paid it.
    private func enter(
        _ sums: Sums,
        into book: inout Book,
        gas: Wei??,
        isShown: Bool
    ) -> ProfitBook.Profit? {
        var profit: ProfitBook.Profit?
        if sums.kind == .fill, sums.role != .own {
            switch sums.side {
            case .buy: book.profit.buy(sums.netBase, cost: sums.netQuote)
            case .sell: profit = book.profit.sell(sums.netBase, proceeds: sums.netQuote)
            }
        }
        guard isShown else { return profit }
        if let gas { book.gas.add(gas) }
        guard sums.kind == .fill else { return profit }
        book.fills += 1
        if sums.isUnproven { book.unproven += 1 }
        if let token = sums.feeToken?.address, sums.fee != .zero {
            book.fees[token] = (book.fees[token] ?? .zero).addingSaturating(sums.fee)
        }
        guard sums.role != .own else { return profit }
        switch sums.side {
        case .buy:
            book.bought = book.bought.addingSaturating(sums.netBase)
            book.cost = book.cost.addingSaturating(sums.netQuote)
        case .sell:
            book.sold = book.sold.addingSaturating(sums.netBase)
            book.proceeds = book.proceeds.addingSaturating(sums.netQuote)
        }
        if let profit {
            book.averageProfit = book.averageProfit + profit.average
            book.fifoProfit = book.fifoProfit + profit.fifo
            book.uncovered = book.uncovered.addingSaturating(profit.uncovered)
        }
        return profit
    }

    // MARK: One trade

    private struct Sums {
        let kind: HistoryState.Kind
        let role: HistoryState.Role
        let pair: Pair
        let side: TradeSide
        let base: UInt256
        let quote: UInt256
        var fee = UInt256.zero
        var feeToken: Token?
        var counterparty: Address?
        /// With a fee in one of the two tokens.
        var netBase: UInt256
        var netQuote: UInt256
        var price: Price?
        var effectivePrice: Price?
        /// What arrived is only what the exchange says.
        var isUnproven = false
    }

    private func sums(of cancel: CancelEvent) -> Sums {
        let pair = pair(cancel.makerToken, cancel.takerToken)
        let isSale = cancel.makerToken == pair.base.address
        let (base, quote) =
            isSale
            ? (cancel.makerAmount, cancel.takerAmount) : (cancel.takerAmount, cancel.makerAmount)
        return Sums(
            kind: .cancel,
            role: .maker,
            pair: pair,
            side: isSale ? .sell : .buy,
            base: base,
            quote: quote,
            feeToken: contracts?.feeToken.map { token($0) },
            netBase: base,
            netQuote: quote
        )
    }

    /// - Parameter brought: what reached the account, in base units; nil if that is not proven, and
    ///   the exchange's amount stands for it.
    private func sums(of fill: FillEvent, brought: UInt256?, gas: Wei?) -> Sums {
        let pair = pair(fill.makerToken, fill.takerToken)
        let isMaker = fill.maker == account
        let isTaker = fill.taker == account
        let isMakersSale = fill.makerToken == pair.base.address
        // An account that takes its own order is shown as the maker.
        let side: TradeSide = isMaker == isMakersSale ? .sell : .buy
        let makerAmount = isMaker ? fill.makerAmount : brought ?? fill.makerAmount
        let takerAmount = isMaker ? brought ?? fill.takerAmount : fill.takerAmount
        let (base, quote) =
            isMakersSale ? (makerAmount, takerAmount) : (takerAmount, makerAmount)
        let fee = (isMaker ? fill.makerFee : 0).addingSaturating(isTaker ? fill.takerFee : 0)
        let feeToken = session.exchangeProtocol.feeToken(of: fill, contracts: contracts)
            .map { token($0) }
        var sums = Sums(
            kind: .fill,
            role: isMaker ? (isTaker ? .own : .maker) : .taker,
            pair: pair,
            side: side,
            base: base,
            quote: quote,
            fee: fee,
            feeToken: feeToken,
            counterparty: isMaker ? fill.taker : fill.maker,
            netBase: base,
            netQuote: quote
        )
        if let feeToken {
            if feeToken.address == pair.quote.address {
                sums.netQuote =
                    side == .buy ? quote.addingSaturating(fee) : quote.subtractingSaturating(fee)
            } else if feeToken.address == pair.base.address {
                sums.netBase =
                    side == .buy ? base.subtractingSaturating(fee) : base.addingSaturating(fee)
            }
        }
        guard sums.role != .own else { return sums }
        sums.price = Price(quote: quote, base: base)
        var paid = sums.netQuote
        if let gas, isEther(pair.quote) {
            paid =
                side == .buy
                ? paid.addingSaturating(gas.rawValue) : paid.subtractingSaturating(gas.rawValue)
        }
        sums.effectivePrice = Price(quote: paid, base: sums.netBase)
        return sums
    }

    private func pair(_ one: Address, _ other: Address) -> Pair {
        QuoteRank(session: session).pair(token(one), token(other))
    }

    private func token(_ address: Address) -> Token { tokens[address] ?? .unknown(address) }

    private func isEther(_ token: Token) -> Bool {
        token.isNativeCoin || token.address == session.network.weth
    }
}
