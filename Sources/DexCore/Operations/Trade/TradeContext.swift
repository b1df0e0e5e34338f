import Ethereum
import ZeroEx

/// The data of a trade's plan, read at one block.
struct TradeContext: Sendable {
    /// The source that the trade is planned again from.
    let source: BookStep.Source
    let pair: Pair
    let side: TradeSide
    let block: Block
    let contracts: ExchangeContracts
    let account: AccountSnapshot
    let fees: FeeSnapshot
    /// The value of taker fees in a third token; nil if none was needed, or there is no price.
    var feeRate: FeeRate?
    /// Of the pair's book; nil if it was not read, or has one side only.
    var mid: Price?
    var warnings: [String] = []

    var payToken: Token { side == .buy ? pair.quote : pair.base }
    var receiveToken: Token { side == .buy ? pair.base : pair.quote }

    /// In base units of QUOTE; nil if the fee is in a token of the pair, or has no price.
    func feeValue(of fee: UInt256, in token: Token) -> UInt256? {
        feeRate.flatMap { $0.token == token.address ? $0.value(of: fee) : nil }
    }
}
