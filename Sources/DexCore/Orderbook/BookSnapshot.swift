package import Ethereum
package import ZeroEx

/// A pair's trusted book: every order verified, its funding read at one block.
package struct BookSnapshot: Sendable {
    /// The requested pair, with decimals from the chain if the map has none.
    package let pair: Pair
    /// The block at which everything was read.
    package let block: Block
    package let contracts: ExchangeContracts
    /// Orders that buy base, the highest price first; each can be filled at least partly.
    package let bids: [BookEntry]
    /// Orders that sell base, the lowest price first; each can be filled at least partly.
    package let asks: [BookEntry]
    /// Orders that the relay sent, unreadable ones included.
    package let received: Int
    /// Orders with a valid hash and signature.
    package let verified: Int
    package let dropped: [OrderbookState.Dropped]
    package let account: AccountSnapshot?
    package let fees: FeeSnapshot?
    /// The value of taker fees in a third token; nil if none was needed, or there is no price.
    package let feeRate: FeeRate?
    /// What each of several relays showed; nil with one relay.
    package let relays: RelayProvenance?
    /// Why there may be more orders; nil if the relay's list is whole.
    package var shortfall: RelayShortfall?
    /// What the sides were built from.
    let materials: BookMaterials
    /// The best price of the side that was not requested; nil if both were, or none can be filled.
    package var oppositeBest: Price?

    /// The relays that show an order; empty with one relay.
    package func relays(showing order: any SignedOrder) -> [String] {
        relays.map { $0.names($0[order.copyID].subtracting($0.leftOut)) } ?? []
    }

    /// A sentence for each relay that is left out, and for a list that is not whole.
    package var relayWarnings: [String] {
        (relays?.warnings ?? []) + [shortfall?.description].compactMap(\.self)
    }

    /// The orders that a trade of this side fills: asks to buy, bids to sell.
    package func entries(for side: TradeSide) -> [BookEntry] {
        side == .buy ? asks : bids
    }

    /// The best price to sell at, without crumbs; nil if no bid can be taken.
    package var bid: Price? { BookDepth(bids, side: .sell).best }

    /// The best price to buy at, without crumbs; nil if no ask can be taken.
    package var ask: Price? { BookDepth(asks, side: .buy).best }

    /// Halfway between the best bid and the best ask; nil if one is missing.
    package var mid: Price? {
        let (bid, ask) = (bid, ask)
        return PriceModel.mid(
            bid ?? (ask == nil ? nil : oppositeBest),
            ask ?? (bid == nil ? nil : oppositeBest)
        )
    }
}

/// The verified orders of a book with what was read about them.
struct BookMaterials: Sendable {
    let assembler: BookAssembler
    /// Each hash once.
    var orders: [any SignedOrder]
    /// In the order of the orders.
    var states: [OrderState]
    let holdings: [HoldingKey: Holding]

    func sides() async -> BookAssembler.Sides {
        await assembler.assemble(orders, states: states, holdings: holdings)
    }
}

package struct BookEntry: Sendable {
    package let order: any SignedOrder
    package let state: OrderState
    /// Quote per base, after the taker's fee if it is in a token of the pair or has a rate.
    package let price: Price
    /// Base units of the taker token that can be filled now; not zero.
    ///
    /// Shared maker balances are netted best first, so the sum over a side can be filled at once.
    package let fillableTaker: UInt256
    /// The payout of that fill, rounded down.
    package let fillableMaker: UInt256
    package let flags: [OrderFlag]

    /// It may be filled: it does not expire soon, is not for another taker, not dust, and not our
    /// own.
    package var isTakeable: Bool {
        !flags.contains { OrderFlag.notForTaking.contains($0) }
    }
}

package struct AccountSnapshot: Hashable, Sendable {
    package let address: Address
    package let ether: Wei
    /// The nonce after all transactions in the node's pool.
    package let pendingNonce: UInt64
    /// Balances in base units, of the orders' tokens and the fee token.
    package let balances: [Address: UInt256]
    /// Allowances of the transfer contract in base units, by token.
    package var allowances: [Address: UInt256]

    /// The account's balance of a token in base units.
    ///
    /// - Throws: `DexError`, exit 6, `not-a-token`, if the token's contract does not report it.
    func balance(of token: Token) throws(DexError) -> UInt256 {
        guard let balance = balances[token.address] else {
            throw TokenError.notAToken(token.address)
        }
        return balance
    }

    /// Base units of a token that the transfer contract may move.
    ///
    /// - Throws: as `balance(of:)`.
    func allowance(of token: Token) throws(DexError) -> UInt256 {
        guard let allowance = allowances[token.address] else {
            throw TokenError.notAToken(token.address)
        }
        return allowance
    }
}

/// Gas prices, wei per gas.
package struct FeeSnapshot: Hashable, Sendable {
    /// The coin that pays them.
    package let coin: CoinSymbol
    /// Of the next block; nil on a chain without EIP-1559.
    package let baseFee: Wei?
    /// The recent tips of others, by priority; empty if the node does not report them.
    package var tips: [FeePriority: Wei]
    /// eth_gasPrice; nil if the node does not report it.
    package let gasPrice: Wei?
    /// Why no price of gas could be read; nil if the tips of others or eth_gasPrice are known.
    package var unread: ChainError?
    /// The chain's own rules.
    package var rules = FeeRules()
    /// What a rollup takes beside gas for the calls that were asked about.
    package var rollup = RollupCost.none
    /// What pays for those calls on a chain without a coin.
    var tokens: [FeeToken] = []
    /// The private endpoint that the transactions go to alone; nil without one.
    var privateNode: String?
}

/// The settings of a book's reading.
package struct ReadSettings: Hashable, Sendable {
    /// Orders that expire within this many seconds are marked `expiring`.
    ///
    /// The time counts from now, or from a block that is later than our clock.
    package var expiryMargin: UInt64
    /// Orders whose taker fee is above it are marked `taker-fee`.
    package var takerFees: TakerFeeCap

    package init(expiryMargin: UInt64 = 120, takerFees: TakerFeeCap = TakerFeeCap()) {
        self.expiryMargin = expiryMargin
        self.takerFees = takerFees
    }
}

extension BookSnapshot {
    /// The number of orders left out of the book and the main reason, or that the relay sent none.
    ///
    /// nil if all are in the book.
    var leftOut: String? {
        guard received > 0 else { return pair.absence }
        guard !dropped.isEmpty else { return nil }
        var reasons: [DropReason: Int] = [:]
        for order in dropped { reasons[order.reason, default: 0] += order.count }
        let maximum = reasons.max { ($0.value, $1.key.words) < ($1.value, $0.key.words) }
        guard let maximum else { return nil }
        let count = dropped.orderCount
        let share = maximum.value == count ? "" : ", \(maximum.value) of them for this reason"
        return "The relay sent \(received) \(received == 1 ? "order" : "orders"); "
            + "\(count) \(count == 1 ? "was" : "were") left out\(share): "
            + PlainText.sentence(maximum.key.words, limit: 160)
    }
}

extension Pair {
    /// The message if a relay sent no orders.
    package var absence: String {
        "The relay has no order of \(PlainText.clean(name)): `dex pairs` lists what it trades."
    }
}
