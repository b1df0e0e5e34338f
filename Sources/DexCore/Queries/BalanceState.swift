package import Ethereum

package struct BalanceState: Sendable {
    package struct Row: Hashable, Sendable {
        package let amount: TokenAmount
        /// The allowance of the transfer contract; nil for ether.
        package let allowance: UInt256?
    }

    /// The value at the middle of the relay's books, in base units of one unit.
    package struct Worth: Hashable, Sendable {
        package let unit: Currency
        /// The value of the ether; nil without a price.
        package let ether: UInt256?
        /// The value by token; a token without a price is left out.
        package let tokens: [Address: UInt256]
        /// The sum of the known values.
        package let total: UInt256
        /// Why a book could not be read; a sentence.
        package let failure: String?
    }

    package let owner: Address
    package let block: UInt64
    package let ether: Wei
    package var rows: [Row]
    /// nil if it was not requested, or no relay has prices.
    package var worth: Worth?
    /// What was bought in a pair and is still held, by the pair's names; none if not requested.
    package var positions: [HistoryState.Position] = []
    /// Tokens that are in no list; nil if they were not searched for.
    package var discovered: DiscoveredTokens?
    /// What of the positions could not be read, and what they count; sentences.
    package var warnings: [String] = []
}

extension BalanceState {
    /// The balances, values and positions are the same, whatever the block.
    func isSame(as other: BalanceState) -> Bool {
        owner == other.owner && ether == other.ether && rows == other.rows && worth == other.worth
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
