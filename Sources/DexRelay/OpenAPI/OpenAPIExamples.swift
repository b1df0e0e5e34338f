import StrictJSON

/// The examples of the OpenAPI document: the form of real values, signed by nobody.
enum OpenAPIExamples {
    private static let zero: JSONValue = "0x0000000000000000000000000000000000000000"
    private static let zrx: JSONValue = "0xe41d2489571d322189246dafa5ebde1f4699f498"
    private static let weth: JSONValue = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
    private static let maker: JSONValue = "0x6ecbe1db9ef729cbe972c83fb886247691fb6beb"
    private static let r: JSONValue =
        "0x61a3ed31b43c8780e905a260a35faefcc527be7516aa11c0256729b5b351bc33"
    private static let s: JSONValue =
        "0x40349190569279751135161d22529dc25add4f6069af05be04cacbda2ace2254"

    static let orderV0: JSONValue = [
        "exchangeContractAddress": "0x12459c951127e0c374ff9105dda097662a027093",
        "maker": maker,
        "taker": zero,
        "makerTokenAddress": zrx,
        "takerTokenAddress": weth,
        "feeRecipient": zero,
        "makerTokenAmount": "1000000000000000000000",
        "takerTokenAmount": "1500000000000000000",
        "makerFee": "0",
        "takerFee": "0",
        "expirationUnixTimestampSec": "1924992000",
        "salt": "58600101225676680041453168589125977076540694791976419610199695339725548478315",
        "ecSignature": ["v": 27, "r": r, "s": s],
    ]

    static let feesV0: JSONValue = ["feeRecipient": zero, "makerFee": "0", "takerFee": "0"]

    static let errorV0: JSONValue = [
        "code": 100,
        "reason": "Validation failed",
        "validationErrors": [
            [
                "field": "maker", "code": 1002,
                "reason": "Must be a string of 0x and 40 hexadecimal digits, in lower case",
            ]
        ],
    ]

    static let orderV4: JSONValue = [
        "makerToken": zrx,
        "takerToken": weth,
        "makerAmount": "1000000000000000000000",
        "takerAmount": "1500000000000000000",
        "takerTokenFeeAmount": "0",
        "maker": maker,
        "taker": zero,
        "sender": zero,
        "feeRecipient": zero,
        "pool": "0x0000000000000000000000000000000000000000000000000000000000000000",
        "expiry": "1924992000",
        "salt": "1700000000000",
        "chainId": 1,
        "verifyingContract": "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
        "signature": ["signatureType": 2, "v": 27, "r": r, "s": s],
    ]

    static let configV4: JSONValue = [
        "sender": zero, "feeRecipient": zero, "takerTokenFeeAmount": "0",
    ]

    static let errorV4: JSONValue = [
        "code": 100,
        "reason": "Validation Failed",
        "validationErrors": [
            [
                "field": "quoteToken", "code": 1000,
                "reason": "should have required property 'quoteToken'",
            ]
        ],
    ]
}
