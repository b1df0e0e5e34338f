public import Ethereum

/// The terms of a v4 RFQ order, which has no protocol fee.
public struct RfqOrderV4: NativeOrderV4 {
    public var makerToken: Address
    public var takerToken: Address
    public var makerAmount: UInt128
    public var takerAmount: UInt128
    public var maker: Address
    public var taker: Address
    /// The required signer of the fill transaction; zero makes the order invalid.
    public var txOrigin: Address
    public var pool: Bytes32
    public var expiry: UInt64
    public var salt: UInt256

    /// The terms of an order.
    public init(
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt128,
        takerAmount: UInt128,
        maker: Address,
        taker: Address = .zero,
        txOrigin: Address,
        pool: Bytes32 = .zero,
        expiry: UInt64,
        salt: UInt256
    ) {
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
        self.maker = maker
        self.taker = taker
        self.txOrigin = txOrigin
        self.pool = pool
        self.expiry = expiry
        self.salt = salt
    }

    public static let kind = NativeOrderKindV4.rfq
    public static let encodedType =
        "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,"
        + "address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)"
    public static let typeHash = Keccak256.hash(encodedType.utf8)
    public static let wordCount = 10
}

extension RfqOrderV4 {
    /// See `NativeOrderV4`.
    public init?(words: [Bytes32]) {
        guard words.count == Self.wordCount,
            let makerToken = Address(ifWord: words[0]),
            let takerToken = Address(ifWord: words[1]),
            let makerAmount = UInt256(words[2]).uint128,
            let takerAmount = UInt256(words[3]).uint128,
            let maker = Address(ifWord: words[4]), let taker = Address(ifWord: words[5]),
            let txOrigin = Address(ifWord: words[6]),
            let expiry = UInt256(words[8]).uint64
        else { return nil }
        self.init(
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            maker: maker,
            taker: taker,
            txOrigin: txOrigin,
            pool: words[7],
            expiry: expiry,
            salt: UInt256(words[9])
        )
    }

    public var words: [Bytes32] {
        [
            makerToken.word, takerToken.word, UInt256(makerAmount).word, UInt256(takerAmount).word,
            maker.word, taker.word, txOrigin.word, pool, UInt256(expiry).word, salt.word,
        ]
    }
}
