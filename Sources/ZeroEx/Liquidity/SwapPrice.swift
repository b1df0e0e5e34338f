public import Ethereum

/// A venue's price of a trade, as it says; nothing in it binds anyone.
///
/// Amounts in base units. Texts are the venue's: strip control characters before showing them.
public struct SwapPrice: Hashable, Sendable {
    /// A part of the route.
    public struct Source: Hashable, Sendable {
        public let name: String
        /// Its share of the trade, in hundredths of a percent.
        public let basisPoints: UInt64

        public init(name: String, basisPoints: UInt64) {
            self.name = name
            self.basisPoints = basisPoints
        }
    }

    /// A fee that is already in the amounts.
    public struct Fee: Hashable, Sendable {
        public let amount: UInt256
        public let token: SwapAsset
        /// `zeroEx`, `integrator` or `gas`.
        public let kind: String

        public init(amount: UInt256, token: SwapAsset, kind: String) {
            self.amount = amount
            self.token = token
            self.kind = kind
        }
    }

    /// What is expected to be sold.
    public var sold: UInt256
    /// The most that is sold; equal to `sold` if that is fixed.
    public var maximumSold: UInt256
    /// What is expected to be bought.
    public var bought: UInt256
    /// The least that is bought; equal to `bought` if that is fixed.
    public var minimumBought: UInt256
    /// A hint; nil if the venue gives none.
    public var gas: UInt64?
    public var sources: [Source]
    public var fees: [Fee]
    /// The highest tax of the two tokens on a transfer, in hundredths of a percent; 0 if unknown.
    public var transferTax: UInt64
    /// The block that the price is of; nil if it is not said.
    public var block: UInt64?
    /// The venue's id of the answer, for its support.
    public var id: String?
    /// The taker has less of the sold asset than it takes: what it has, by the venue.
    public var shortBalance: UInt256?
    /// The venue simulated the trade.
    public var isSimulated: Bool

    public init(
        sold: UInt256,
        maximumSold: UInt256,
        bought: UInt256,
        minimumBought: UInt256,
        gas: UInt64? = nil,
        sources: [Source] = [],
        fees: [Fee] = [],
        transferTax: UInt64 = 0,
        block: UInt64? = nil,
        id: String? = nil,
        shortBalance: UInt256? = nil,
        isSimulated: Bool = true
    ) {
        self.sold = sold
        self.maximumSold = maximumSold
        self.bought = bought
        self.minimumBought = minimumBought
        self.gas = gas
        self.sources = sources
        self.fees = fees
        self.transferTax = transferTax
        self.block = block
        self.id = id
        self.shortBalance = shortBalance
        self.isSimulated = isSimulated
    }
}
