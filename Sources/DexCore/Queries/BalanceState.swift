package import Ethereum

/// The balances of an account, for `dex balance`.
package struct BalanceState: Sendable {
    package struct Row: Hashable, Sendable {
        /// Without decimals if its contract contradicts the token map: its amounts are base units.
        package let token: Token
        /// Base units; nil if the contract did not return them.
        package let balance: UInt256?
        /// Base units that the transfer contract may move; nil if the contract did not return them.
        package let allowance: UInt256?

        package init(token: Token, balance: UInt256?, allowance: UInt256?) {
            self.token = token
            self.balance = balance
            self.allowance = allowance
        }

        /// nil if the balance is unknown.
        package var amount: TokenAmount? { balance.map { TokenAmount(raw: $0, token: token) } }
    }

    /// The value at the middle of the relay's books, in base units of one unit.
    package struct MarketValue: Hashable, Sendable {
        package let unit: Currency
        /// The value of the ether; nil without a price.
        package let ether: UInt256?
        /// The value by token; a token without a price is left out.
        package let tokens: [Address: UInt256]
        /// The sum of the known values.
        package let known: UInt256
        /// Why a book could not be read; a sentence.
        package let failure: String?
        /// A balance or a price could not be read, so `known` lacks it.
        package let isPartial: Bool

        package init(
            unit: Currency,
            ether: UInt256?,
            tokens: [Address: UInt256],
            known: UInt256,
            failure: String? = nil,
            isPartial: Bool = false
        ) {
            self.unit = unit
            self.ether = ether
            self.tokens = tokens
            self.known = known
            self.failure = failure
            self.isPartial = isPartial
        }

        /// The sum of all that has a price; nil if something of it could not be read.
        package var total: UInt256? { isPartial ? nil : known }
    }

    package let owner: Address
    package let block: UInt64
    package let coin: CoinSymbol
    /// Of the coin.
    package let ether: Wei
    package var rows: [Row]
    /// nil if it was not requested, or no relay has prices.
    package var marketValue: MarketValue?
    /// What was bought in a pair and is still held, by the pair's names; none if not requested.
    package var positions: [HistoryState.Position] = []
    /// Tokens that are in no list; nil if they were not searched for.
    package var discovered: DiscoveredTokens?
    /// What could not be read, and what the positions count; sentences.
    package var warnings: [String] = []
}

extension BalanceState {
    /// The balances, values and positions are the same, whatever the block.
    func isSame(as other: BalanceState) -> Bool {
        owner == other.owner && ether == other.ether && rows == other.rows
            && marketValue == other.marketValue
            && warnings == other.warnings
            && positions.map(PositionFigures.init) == other.positions.map(PositionFigures.init)
    }

    /// What a balance shows of a position.
    private struct PositionFigures: Equatable {
        let pair: Pair
        let held: UInt256
        let cost: UInt256
        let value: UInt256?

        init(_ position: HistoryState.Position) {
            pair = position.pair
            held = position.held
            cost = position.heldAverageCost
            value = position.unrealised?.value
        }
    }
}
