import Ethereum
import StrictJSON
import ZeroEx

extension FuzzTarget {
    /// Orders of v4 as relays write them: what was read is written again in a form that is read the
    /// same, and its hash is that of the general codec of EIP-712.
    static let orderV4 = FuzzTarget(
        "order-v4",
        maximumLength: 2_048,
        seeds: OrderV4Target.seeds
    ) { input in
        guard let json = try? JSONParser.parse(input) else { return }
        if let config = try? OrderConfigV4(json: json) {
            try requireEqual(try OrderConfigV4(json: config.json), config, "what a relay wants")
        }
        guard let record = try? OrderRecordV4(json: json) else { return }
        let again = try OrderRecordV4(json: record.json)
        let order = record.order
        try requireEqual(again.order.terms, order.terms, "an order that was written is read again")
        try requireEqual(again.order.domain, order.domain, "its chain and exchange too")
        try requireEqual(again.order.signature, order.signature, "its signature too")
        try requireEqual(again.metadata.remaining, record.metadata.remaining, "what remains of it")
        try requireEqual(
            again.metadata.orderHash,
            record.metadata.orderHash ?? order.hash,
            "the hash that a relay says"
        )
        try requireEqual(order.hash.word, try OrderV4Target.digest(order), "an order's hash")
    }
}

private enum OrderV4Target {
    /// The hash by the general codec, from the values in the contract's order.
    static func digest(_ order: SignedOrderV4) throws -> Bytes32 {
        let terms = order.terms
        let types = try TypedDataTypes([
            TypedDataStruct(
                "LimitOrder",
                [
                    ("makerToken", "address"), ("takerToken", "address"),
                    ("makerAmount", "uint128"), ("takerAmount", "uint128"),
                    ("takerTokenFeeAmount", "uint128"), ("maker", "address"),
                    ("taker", "address"), ("sender", "address"), ("feeRecipient", "address"),
                    ("pool", "bytes32"), ("expiry", "uint64"), ("salt", "uint256"),
                ]
            )
        ])
        let message = ABIValue.tuple([
            .address(terms.makerToken), .address(terms.takerToken),
            .uint(UInt256(terms.makerAmount)), .uint(UInt256(terms.takerAmount)),
            .uint(UInt256(terms.takerTokenFeeAmount)), .address(terms.maker),
            .address(terms.taker), .address(terms.sender), .address(terms.feeRecipient),
            .word(terms.pool), .uint(UInt256(terms.expiry)), .uint(terms.salt),
        ])
        let data = try TypedData(
            types: types,
            primaryType: "LimitOrder",
            domain: order.domain.typedDomain,
            message: message
        )
        return data.digest
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let order = SignedOrderV4(
            terms: LimitOrderV4(
                makerToken: SampleOrders.zrx,
                takerToken: SampleOrders.weth,
                makerAmount: 1_000,
                takerAmount: .max,
                takerTokenFeeAmount: 3,
                maker: SampleOrders.proxy,
                pool: UInt256(9).word,
                expiry: SampleOrders.now,
                salt: .max
            ),
            domain: ExchangeDomainV4(chainID: 1337, exchange: SampleOrders.exchange),
            signature: SignatureV4(type: 3, v: 28, r: UInt256(5).word, s: UInt256(6).word)
        )
        let metadata = OrderRecordV4.Metadata(
            orderHash: order.hash,
            remaining: 77,
            state: "ADDED",
            createdAt: "2023-01-31T12:00:00.000Z"
        )
        guard case .object(var loose) = order.json else { return [] }
        for key in ["taker", "sender", "feeRecipient", "takerTokenFeeAmount"] { loose[key] = nil }
        loose["pool"] = "0x"
        loose["makerAmount"] = 5
        loose["takerAmount"] = "7.00"
        loose["chainId"] = "1"
        loose["signature"] = ["signatureType": "2", "v": "27", "r": "0x1", "s": "0xABC"]
        var wrong = loose
        wrong["makerAmount"] = .string((UInt256(1) << 128).description)
        let config = OrderConfigV4(
            sender: .zero,
            feeRecipient: SampleOrders.zrx,
            takerTokenFeeAmount: 1
        )
        return [
            OrderRecordV4(order: order, metadata: metadata).json, order.json, .object(loose),
            .object(wrong), config.json,
        ].map(\.utf8)
    }
}
