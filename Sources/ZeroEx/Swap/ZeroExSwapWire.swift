import Ethereum
import StrictJSON

/// The requests and answers of 0x's Swap API v2.
///
/// Answers are hostile: bounded, and read strictly. A quote's call data is left to
/// `ZeroExSwapRules`.
///
/// Source: https://docs.0x.org (docs/protocol/swap-v2.md).
public enum ZeroExSwapWire {
    /// The most bytes of a body.
    public static let maximumBody = 4 << 20
    /// The most bytes of a transaction's call data.
    public static let maximumCallData = 512 << 10
    /// The path that lists the chains.
    public static let chainsPath = "/swap/chains"

    private static let maximumValues = 100_000

    /// The path of a request with its query, below the API's base URL.
    ///
    /// - Parameter firm: asks for a quote, which has a transaction; else for a price.
    public static func path(_ request: SwapRequest, firm: Bool) -> String {
        let method = request.payment == .permit ? "permit2" : "allowance-holder"
        var query = [
            ("chainId", request.chainID.description),
            ("sellToken", text(request.sell, request)), ("buyToken", text(request.buy, request)),
        ]
        switch request.amount {
        case .exactIn(let amount): query.append(("sellAmount", amount.description))
        case .exactOut(let amount): query.append(("buyAmount", amount.description))
        }
        if let taker = request.taker { query.append(("taker", taker.lowercaseHex)) }
        let slippage = min(request.slippage, wholeSlippage)
        query.append(
            slippage % 100 == 0
                ? ("slippageBps", (slippage / 100).description)
                : ("slippagePpm", slippage.description)
        )
        // Digits and letters only, so nothing is escaped.
        let pairs = query.map { "\($0)=\($1)" }.joined(separator: "&")
        return "/swap/\(method)/\(firm ? "quote" : "price")?\(pairs)"
    }

    private static func text(_ asset: SwapAsset, _ request: SwapRequest) -> String {
        switch asset {
        case .native: ZeroExSwapContracts.nativeCoin(chainID: request.chainID).lowercaseHex
        case .token(let address): address.lowercaseHex
        }
    }

    /// A price, from the body of an HTTP 200.
    ///
    /// - Throws: `LiquidityError.noLiquidity`, or `.nonsense` naming the field; what is sold, what
    ///   is bought and the fixed amount are those of the request.
    public static func price(
        _ body: [UInt8],
        for request: SwapRequest
    ) throws(LiquidityError) -> SwapPrice {
        let answer = try liquid(body)
        return try SwapPriceReader(answer, request).price(gas: answer.number("gas"))
    }

    /// A quote, from the body of an HTTP 200; not verified.
    ///
    /// - Throws: as `price(_:for:)`.
    public static func quote(
        _ body: [UInt8],
        for request: SwapRequest
    ) throws(LiquidityError) -> SwapQuote {
        let answer = try liquid(body)
        let transaction = try answer.required("transaction", answer.members("transaction"))
        let gas = try transaction.number("gas")
        let permit = request.payment == .permit ? try answer.members("permit2") : nil
        return SwapQuote(
            price: try SwapPriceReader(answer, request).price(gas: gas),
            call: SwapCall(
                to: try transaction.required("to", transaction.address("to")),
                data: try transaction.required(
                    "data",
                    transaction.bytes("data", maximum: maximumCallData)
                ),
                value: Wei(try transaction.required("value", transaction.amount("value")))
            ),
            gas: gas,
            namedSpender: try spender(answer),
            permit: try permit.map(Self.permit),
            permitHash: try permit.map { permit throws(LiquidityError) in
                try permit.required("hash", permit.hash("hash"))
            }
        )
    }

    /// The ids of the served chains, in the API's order.
    ///
    /// Both shapes are read: an object with the list, or the bare list; ids may be texts.
    ///
    /// - Throws: `LiquidityError.nonsense`.
    public static func chains(_ body: [UInt8]) throws(LiquidityError) -> [UInt64] {
        var object = JSONObject()
        let json = try json(body)
        switch json {
        case .array: object["chains"] = json
        case .object(let members): object = members
        default: throw .nonsense("the chains are neither an object nor a list")
        }
        let answer = SwapMembers(object)
        guard object["chains"]?.arrayValue != nil else {
            throw answer.nonsense("chains", "is not a list")
        }
        var ids: [UInt64] = []
        for chain in try answer.list("chains") {
            ids.append(try chain.required("chainId", chain.number("chainId")))
        }
        return ids
    }

    static func json(_ body: [UInt8]) throws(LiquidityError) -> JSONValue {
        guard body.count <= maximumBody else {
            throw .nonsense("the body is larger than \(maximumBody) bytes")
        }
        do throws(JSONError) {
            return try JSONParser.parse(body, maximumValues: maximumValues)
        } catch {
            throw .nonsense("the body is not JSON: \(error.problem) (at byte \(error.offset))")
        }
    }

    /// The members of an answer that has liquidity.
    private static func liquid(_ body: [UInt8]) throws(LiquidityError) -> SwapMembers {
        guard let object = try json(body).objectValue else {
            throw .nonsense("the body is not an object")
        }
        let answer = SwapMembers(object)
        let isAvailable = try answer.required(
            "liquidityAvailable",
            answer.flag("liquidityAvailable")
        )
        guard isAvailable else { throw .noLiquidity }
        return answer
    }

    /// The spender that the answer names: that of the issues, unless only the other is wrong.
    private static func spender(_ answer: SwapMembers) throws(LiquidityError) -> Address? {
        let allowance = try answer.members("issues").flatMap { issues throws(LiquidityError) in
            try issues.members("allowance")
        }
        let named = [
            try allowance.flatMap { allowance throws(LiquidityError) in
                try allowance.address("spender")
            }, try answer.address("allowanceTarget"),
        ].compactMap(\.self)
        return named.first { !ZeroExSwapContracts.spenders.contains($0) } ?? named.first
    }

    /// The values of the message; its types are ours, and the hash binds them.
    private static func permit(_ permit: SwapMembers) throws(LiquidityError) -> SwapPermit {
        if let type = try permit.text("type"), type != "Permit2" {
            throw permit.nonsense("type", "is not Permit2")
        }
        let typed = try permit.required("eip712", permit.members("eip712"))
        let domain = try typed.required("domain", typed.members("domain"))
        let message = try typed.required("message", typed.members("message"))
        let permitted = try message.required("permitted", message.members("permitted"))
        return SwapPermit(
            chainID: try domain.required("chainId", domain.number("chainId")),
            contract: try domain.required(
                "verifyingContract",
                domain.address("verifyingContract")
            ),
            token: try permitted.required("token", permitted.address("token")),
            amount: try permitted.required("amount", permitted.word("amount")),
            spender: try message.required("spender", message.address("spender")),
            nonce: try message.required("nonce", message.word("nonce")),
            deadline: try message.required("deadline", message.word("deadline"))
        )
    }

    /// All of a trade, in parts per million.
    private static let wholeSlippage: UInt64 = 1_000_000
}
