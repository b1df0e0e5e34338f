public import Ethereum

/// The terms of a v4 limit order.
///
/// Its price is `takerAmount` for `makerAmount`: one that gives 100 ZRX for 0.08 WETH sells at
/// 0.0008 WETH for one ZRX.
public struct LimitOrderV4: NativeOrderV4 {
    public var makerToken: Address
    public var takerToken: Address
    public var makerAmount: UInt128
    public var takerAmount: UInt128
    /// Base units of `takerToken` that the taker pays on top for the whole order.
    ///
    /// If it is not zero, the transfer is attempted even to a zero recipient.
    public var takerTokenFeeAmount: UInt128
    public var maker: Address
    public var taker: Address
    /// The only account that may call the contract to fill it; zero is anyone.
    public var sender: Address
    public var feeRecipient: Address
    public var pool: Bytes32
    public var expiry: UInt64
    public var salt: UInt256

    /// The terms of an order.
    public init(
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt128,
        takerAmount: UInt128,
        takerTokenFeeAmount: UInt128 = 0,
        maker: Address,
        taker: Address = .zero,
        sender: Address = .zero,
        feeRecipient: Address = .zero,
        pool: Bytes32 = .zero,
        expiry: UInt64,
        salt: UInt256
    ) {
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
        self.takerTokenFeeAmount = takerTokenFeeAmount
        self.maker = maker
        self.taker = taker
        self.sender = sender
        self.feeRecipient = feeRecipient
        self.pool = pool
        self.expiry = expiry
        self.salt = salt
    }

    public static let kind = NativeOrderKindV4.limit
    public static let encodedType =
        "LimitOrder(address makerToken,address takerToken,uint128 makerAmount,"
        + "uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,"
        + "address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)"
    /// The struct's members, in order.
    private static let typedMembers = [
        (name: "makerToken", type: "address"), (name: "takerToken", type: "address"),
        (name: "makerAmount", type: "uint128"), (name: "takerAmount", type: "uint128"),
        (name: "takerTokenFeeAmount", type: "uint128"), (name: "maker", type: "address"),
        (name: "taker", type: "address"), (name: "sender", type: "address"),
        (name: "feeRecipient", type: "address"), (name: "pool", type: "bytes32"),
        (name: "expiry", type: "uint64"), (name: "salt", type: "uint256"),
    ]
    public static let typeHash = Keccak256.hash(encodedType.utf8)
    public static let wordCount = 12
}

extension LimitOrderV4 {
    private static let typeName = "LimitOrder"

    /// See `NativeOrderV4`.
    public init?(words: [Bytes32]) {
        guard words.count == Self.wordCount,
            let makerToken = Address(ifWord: words[0]),
            let takerToken = Address(ifWord: words[1]),
            let makerAmount = UInt256(words[2]).uint128,
            let takerAmount = UInt256(words[3]).uint128,
            let takerTokenFeeAmount = UInt256(words[4]).uint128,
            let maker = Address(ifWord: words[5]), let taker = Address(ifWord: words[6]),
            let sender = Address(ifWord: words[7]),
            let feeRecipient = Address(ifWord: words[8]),
            let expiry = UInt256(words[10]).uint64
        else { return nil }
        self.init(
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            takerTokenFeeAmount: takerTokenFeeAmount,
            maker: maker,
            taker: taker,
            sender: sender,
            feeRecipient: feeRecipient,
            pool: words[9],
            expiry: expiry,
            salt: UInt256(words[11])
        )
    }

    public var words: [Bytes32] {
        [
            makerToken.word, takerToken.word, UInt256(makerAmount).word, UInt256(takerAmount).word,
            UInt256(takerTokenFeeAmount).word, maker.word, taker.word, sender.word,
            feeRecipient.word, pool, UInt256(expiry).word, salt.word,
        ]
    }

    /// The EIP-712 data that a wallet signs; its digest is the order's hash.
    public func typedData(in domain: ExchangeDomainV4) -> TypedData? {
        let values: [ABIValue] = [
            .address(makerToken), .address(takerToken), .uint(UInt256(makerAmount)),
            .uint(UInt256(takerAmount)), .uint(UInt256(takerTokenFeeAmount)), .address(maker),
            .address(taker), .address(sender), .address(feeRecipient), .word(pool),
            .uint(UInt256(expiry)), .uint(salt),
        ]
        // Types and values match by construction, so nothing is thrown.
        return try? TypedData(
            types: TypedDataTypes([TypedDataStruct(Self.typeName, Self.typedMembers)]),
            primaryType: Self.typeName,
            domain: domain.typedDomain,
            message: .tuple(values)
        )
    }
}
