public import Ethereum

/// What is sold or bought at a venue: the chain's native coin, or a token.
public enum SwapAsset: Hashable, Sendable {
    /// The chain's own coin, such as ether.
    case native
    case token(Address)
}

/// Which side of a trade is fixed; base units, above zero.
public enum SwapAmount: Hashable, Sendable {
    /// So much is sold.
    case exactIn(UInt256)
    /// So much is bought.
    case exactOut(UInt256)
}

/// The way the sold token reaches the venue.
public enum SwapPayment: Hashable, Sendable {
    /// By an allowance to the venue's own contract.
    case allowance
    /// By an allowance to Permit2 and a signed message (`--permit2`).
    case permit
}

/// A trade that a venue is asked to price or quote.
public struct SwapRequest: Hashable, Sendable {
    public var chainID: UInt64
    public var sell: SwapAsset
    public var buy: SwapAsset
    public var amount: SwapAmount
    public var payment: SwapPayment
    /// Sends the transaction; nil only for a price.
    public var taker: Address?
    /// The most by which the outcome may be worse than the quote, in parts per million.
    public var slippage: UInt64
    /// The only contract that may take the sold token, at a venue with several; nil for any.
    public var spender: Address?

    public init(
        chainID: UInt64,
        sell: SwapAsset,
        buy: SwapAsset,
        amount: SwapAmount,
        payment: SwapPayment = .allowance,
        taker: Address? = nil,
        slippage: UInt64,
        spender: Address? = nil
    ) {
        self.chainID = chainID
        self.sell = sell
        self.buy = buy
        self.amount = amount
        self.payment = payment
        self.taker = taker
        self.slippage = slippage
        self.spender = spender
    }
}
