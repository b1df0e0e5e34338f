import Ethereum
import StrictJSON

@testable import ZeroEx

/// Answers of the Swap API as JSON, to be changed by tests.
enum SwapAnswers {
    static let sellsTokens = SwapSample.request(
        .token(SwapSample.sold),
        .token(SwapSample.bought),
        .exactIn(SwapSample.sells)
    )
    static let buysTokens = SwapSample.request(
        .token(SwapSample.sold),
        .token(SwapSample.bought),
        .exactOut(500_000)
    )
    static let permits = SwapSample.request(
        .token(SwapSample.sold),
        .token(SwapSample.bought),
        .exactIn(SwapSample.sells),
        .permit
    )

    /// What a price and a quote of a fixed sale have in common.
    static let exactIn: JSONValue = [
        "liquidityAvailable": true, "mode": "exact-in",
        "sellToken": .string(SwapSample.sold.lowercaseHex),
        "buyToken": .string(SwapSample.bought.lowercaseHex), "sellAmount": "990000",
        "buyAmount": "500000", "minBuyAmount": "495000", "route": route,
        "fees": [
            "integratorFee": .null, "integratorFees": .null,
            "zeroExFee": [
                "amount": "75", "token": .string(SwapSample.bought.lowercaseHex),
                "type": "volume",
            ],
            "gasFee": .null,
        ],
        "allowanceTarget": .string(ZeroExSwapContracts.allowanceHolder.lowercaseHex),
        "issues": [
            "allowance": [
                "actual": "0",
                "spender": .string(ZeroExSwapContracts.allowanceHolder.lowercaseHex),
            ],
            "balance": .null, "simulationIncomplete": false, "invalidSourcesPassed": [],
        ],
        "tokenMetadata": [
            "buyToken": ["buyTaxBps": "0", "sellTaxBps": .null, "transferTaxBps": "30"],
            "sellToken": ["buyTaxBps": .null, "sellTaxBps": "20"],
        ],
        "totalNetworkFee": "4200000", "blockNumber": "123456", "zid": "0x1d",
    ]

    /// The price of a fixed sale.
    static let price = exactIn.with(["gas"], "210000").with(["gasPrice"], "20")

    static let quote = exactIn.with(["transaction"], transaction)

    static let permitQuote = quote.with(["permit2"], permit)

    /// The price of a fixed purchase.
    static let exactOut =
        price.with(["mode"], "exact-out").with(["sellAmount"], nil).with(["minBuyAmount"], nil)
        .with(["maxSellAmount"], "1000000").with(["estimatedNetSellAmount"], "990000")
        .with(["route"], nil).with(["routes"], ["forward": route, "refund": route])

    static func body(_ json: JSONValue) -> [UInt8] {
        json.utf8
    }

    private static let route: JSONValue = [
        "fills": [
            [
                "from": .string(SwapSample.sold.lowercaseHex),
                "to": .string(SwapSample.bought.lowercaseHex), "source": "Uniswap_V3",
                "proportionBps": "7500",
            ],
            ["source": "Curve", "proportionBps": "2500"],
        ],
        "tokens": [],
    ]

    private static let transaction: JSONValue = [
        "to": .string(ZeroExSwapContracts.allowanceHolder.lowercaseHex), "data": "0x2213bc0b",
        "gas": "210000", "gasPrice": "20", "value": "0",
    ]

    private static let permit: JSONValue = [
        "type": "Permit2",
        "hash": "0xafb2c83591d83ec04d0792eaa00d36f5a509dfab6666fa787e310afa276bf379",
        "eip712": [
            "types": [
                "PermitTransferFrom": [
                    ["name": "permitted", "type": "TokenPermissions"],
                    ["name": "spender", "type": "address"],
                    ["name": "nonce", "type": "uint256"],
                    ["name": "deadline", "type": "uint256"],
                ]
            ],
            "domain": [
                "name": "Permit2", "chainId": .number("1"),
                "verifyingContract": "0x000000000022d473030f116ddee9f6b43ac78ba3",
            ],
            "message": [
                "permitted": [
                    "token": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                    "amount": "100000000000000000000000",
                ],
                "spender": "0x0d0e364aa7852291883c162b22d6d81f6355428f",
                "nonce": "2241959297937691820908574931991559", "deadline": "1739918089",
            ],
            "primaryType": "PermitTransferFrom",
        ],
    ]
}

extension JSONValue {
    /// The value with another one at a path of member names; nil removes the member.
    func with(_ path: [String], _ value: JSONValue?) -> JSONValue {
        guard let name = path.first, var object = objectValue else { return self }
        if path.count == 1 {
            object[name] = value
        } else {
            object[name] = object[name]?.with(Array(path.dropFirst()), value)
        }
        return .object(object)
    }
}
