import Ethereum
import ZeroEx

/// The cost or proceeds of an amount of base along one side of a book, best first.
struct BookWalk {
    /// Base units of base that the walk fills: at most the requested amount, except for the
    /// rounding of the last order.
    private(set) var base: UInt256 = 0
    /// Base units of quote for it, including fees in quote or base.
    private(set) var quote: UInt256 = 0
    /// The part taken of each used order, best first.
    private(set) var levels: [BookDepth.Level] = []
    /// Base units of the fee token for it.
    private(set) var fee: UInt256 = 0
    /// The token of the fees; nil if there are none.
    private(set) var feeToken: Address?

    var orders: Int { levels.count }

    /// Walks the takeable entries.
    ///
    /// - Parameters:
    ///   - amount: base units of base wanted, or given.
    ///   - takerFees: orders whose fees would exceed it in total are skipped.
    init(
        _ entries: [BookEntry],
        side: TradeSide,
        amount: UInt256,
        exchangeProtocol: any ExchangeProtocol,
        contracts: ExchangeContracts,
        takerFees: TakerFeeCap = TakerFeeCap()
    ) {
        for entry in entries where entry.isTakeable {
            let (left, isDone) = amount.subtractingReportingOverflow(base)
            if isDone || left == .zero { return }
            let order = entry.order
            let feeToken =
                order.takerFee == .zero
                ? nil : exchangeProtocol.feeToken(of: order, contracts: contracts)
            let leg = Leg(entry: entry, feeToken: feeToken, exchangeProtocol: exchangeProtocol)
            let fill = side == .buy ? leg.buying(left) : leg.selling(left)
            guard let fill, let (pay, get) = leg.exchange(filling: fill) else { continue }
            if let feeToken {
                let sum = fee.addingSaturating(
                    exchangeProtocol.takerFee(of: order, filling: fill)
                )
                if takerFees.isExceeded(by: sum, of: order, in: feeToken) { continue }
                (fee, self.feeToken) = (sum, feeToken)
            }
            let (baseSum, baseOverflow) = base.addingReportingOverflow(side == .buy ? get : pay)
            let (quoteSum, quoteOverflow) = quote.addingReportingOverflow(side == .buy ? pay : get)
            if baseOverflow || quoteOverflow { return }
            (base, quote) = (baseSum, quoteSum)
            levels.append(
                BookDepth.Level(
                    price: entry.price,
                    base: side == .buy ? get : pay,
                    offered: get
                )
            )
        }
    }
}

private struct Leg {
    let entry: BookEntry
    /// nil without a taker fee.
    let feeToken: Address?
    let exchangeProtocol: any ExchangeProtocol

    private var order: any SignedOrder { entry.order }

    /// The fill that brings this much maker token after the fee, or the whole order.
    func buying(_ wanted: UInt256) -> UInt256? {
        var gross = wanted
        if feeToken == order.makerToken {
            // get = gross * (amount - fee) / amount; one unit more for both roundings.
            let net = order.makerAmount.subtractingReportingOverflow(order.takerFee)
            guard !net.overflow,
                let share = UInt256.mulDiv(wanted, order.makerAmount, net.partialValue)
            else { return nil }
            let (sum, overflow) = share.quotient.addingReportingOverflow(2)
            if overflow { return nil }
            gross = sum
        }
        if gross >= entry.fillableMaker { return entry.fillableTaker }
        let exact = exchangeProtocol.purchase(of: order, wanting: gross)
        return exact.map { min($0, entry.fillableTaker) }
    }

    /// The fill that costs at most this much taker token with the fee, or the whole order.
    func selling(_ given: UInt256) -> UInt256? {
        var limit = given
        if feeToken == order.takerToken {
            let (sum, overflow) = order.takerAmount.addingReportingOverflow(order.takerFee)
            guard !overflow, let share = UInt256.mulDiv(given, order.takerAmount, sum) else {
                return nil
            }
            limit = share.quotient
        }
        if limit >= entry.fillableTaker { return entry.fillableTaker }
        return exchangeProtocol.largestFill(of: order, upTo: limit)
    }

    /// The payment and the proceeds, including the fee; nil if there are no proceeds.
    func exchange(filling taker: UInt256) -> (pay: UInt256, get: UInt256)? {
        guard let maker = exchangeProtocol.makerAmount(of: order, filling: taker) else {
            return nil
        }
        let fee = exchangeProtocol.takerFee(of: order, filling: taker)
        var (pay, get) = (taker, maker)
        if feeToken == order.takerToken {
            let (sum, overflow) = pay.addingReportingOverflow(fee)
            if overflow { return nil }
            pay = sum
        } else if feeToken == order.makerToken {
            let (rest, isShort) = get.subtractingReportingOverflow(fee)
            if isShort { return nil }
            get = rest
        }
        return get == .zero ? nil : (pay, get)
    }
}
