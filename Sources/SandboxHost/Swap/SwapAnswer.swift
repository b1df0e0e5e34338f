import DexSandbox
import Ethereum
import StrictJSON

/// The body of a price or a quote.
struct SwapAnswer: Sendable {
    /// The name of the pools in routes and in the list of sources.
    static let source = "Stand_In_Pool"
    /// The name of the wrapped coin's contract in routes.
    static let wrapping = "Wrapped_Native"

    let query: SwapAPIQuery
    let trade: PooledTrade
    let snapshot: SwapSnapshot
    /// The contract that has to be approved.
    let spender: Address
    let zid: String

    /// Without the parts of a quote.
    func json(isFirm: Bool) -> JSONObject {
        var body = JSONObject()
        body["allowanceTarget"] =
            query.approvedToken == nil ? .null : .string(spender.lowercaseHex)
        body["blockNumber"] = .string("\(snapshot.block)")
        body["buyAmount"] = Self.number(trade.bought)
        body["buyToken"] = .string(query.buyToken.lowercaseHex)
        body["fees"] = fees
        if !isFirm {
            body["gas"] = .string("\(gas)")
            body["gasPrice"] = Self.number(gasPrice)
        }
        body["issues"] = issues
        body["liquidityAvailable"] = true
        body["mode"] = trade.isExactOut ? "exact-out" : "exact-in"
        let forward = Self.route(trade.route, from: query.sellToken, to: query.buyToken)
        if trade.isExactOut {
            body["maxSellAmount"] = Self.number(trade.maximumSold)
            body["estimatedNetSellAmount"] = Self.number(trade.sold)
            let refunded = SwapAPIQuery.pooled(query.sellToken)
            body["routes"] = [
                "forward": forward,
                "refund": Self.route(trade.route.reversed, from: query.buyToken, to: refunded),
            ]
        } else {
            body["sellAmount"] = Self.number(trade.sold)
            body["minBuyAmount"] = Self.number(trade.minimumBought)
            body["route"] = forward
        }
        body["sellToken"] = .string(query.sellToken.lowercaseHex)
        body["tokenMetadata"] = ["buyToken": Self.untaxed, "sellToken": Self.untaxed]
        let fee = gasPrice.multipliedReportingOverflow(by: UInt256(gas))
        body["totalNetworkFee"] = fee.overflow ? .null : Self.number(fee.partialValue)
        body["zid"] = .string(zid)
        return body
    }

    /// The member `transaction` of a quote.
    func transaction(to: Address, data: [UInt8], value: UInt256) -> JSONValue {
        [
            "to": .string(to.lowercaseHex),
            "data": .string(Hex.encode(data)),
            "gas": .string("\(gas)"),
            "gasPrice": Self.number(gasPrice),
            "value": Self.number(value),
        ]
    }

    static func withoutLiquidity(_ zid: String) -> JSONObject {
        var body = JSONObject()
        body["liquidityAvailable"] = false
        body["zid"] = .string(zid)
        return body
    }

    private var gas: UInt64 { query.isDirectWrap ? 50_000 : trade.gas }
    private var gasPrice: UInt256 { query.gasPrice ?? snapshot.gasPrice.rawValue }

    /// The pools keep theirs out of what they pay; nobody else takes any.
    private var fees: JSONValue {
        var fees = JSONObject()
        fees["integratorFee"] = .null
        fees["integratorFees"] = .null
        fees["zeroExFee"] = .null
        if !trade.isExactOut { fees["gasFee"] = .null }
        return .object(fees)
    }

    private var issues: JSONValue {
        var allowance = JSONValue.null
        if let actual = snapshot.allowance, actual < trade.maximumSold {
            allowance = Self.allowance(actual: actual, spender)
        }
        var balance = JSONValue.null
        if let actual = snapshot.balance, actual < trade.maximumSold {
            balance = self.balance(actual: actual)
        }
        let known = [Self.source]
        let invalid = query.excludedSources.filter { !known.contains($0) }
        return [
            "allowance": allowance,
            "balance": balance,
            "simulationIncomplete": .bool(!balance.isNull),
            "invalidSourcesPassed": .array(invalid.map { .string($0) }),
        ]
    }

    static func allowance(actual: UInt256, _ spender: Address) -> JSONValue {
        ["actual": number(actual), "spender": .string(spender.lowercaseHex)]
    }

    func balance(actual: UInt256) -> JSONValue {
        [
            "token": .string(query.sellToken.lowercaseHex),
            "actual": Self.number(actual),
            "expected": Self.number(trade.maximumSold),
        ]
    }

    private static let untaxed: JSONValue = [
        "buyTaxBps": "0", "sellTaxBps": "0", "transferTaxBps": "0",
    ]

    static func number(_ amount: UInt256) -> JSONValue { .string("\(amount)") }

    /// Its ends are the assets that were asked for, also where the pools have the wrapped coin.
    private static func route(
        _ route: PoolRoute,
        from sell: Address,
        to buy: Address
    ) -> JSONValue {
        let middle = route.hops.dropLast().map(\.buy)
        let tokens = [sell] + middle + [buy]
        let source = route.hops.isEmpty ? wrapping : Self.source
        return [
            "fills": .array(
                zip(tokens, tokens.dropFirst()).map { from, to in
                    [
                        "from": .string(from.lowercaseHex), "to": .string(to.lowercaseHex),
                        "source": .string(source), "proportionBps": "10000",
                    ]
                }
            ),
            "tokens": .array(
                tokens.map { token in
                    ["address": .string(token.lowercaseHex), "symbol": .string(symbol(of: token))]
                }
            ),
        ]
    }

    private static func symbol(of token: Address) -> String {
        token == SwapContracts.native
            ? "ETH" : SandboxTokens.all.first { $0.address == token }?.symbol ?? ""
    }
}
