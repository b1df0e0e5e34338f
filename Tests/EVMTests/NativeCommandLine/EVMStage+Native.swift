import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What tests ask of the Exchange Proxy itself.
extension EVMStage {
    /// What the contract says of an order.
    func info(
        _ order: any SignedOrder,
        location: SourceLocation = #_sourceLocation
    ) throws -> OrderInfoV4 {
        let signed = try #require(order as? SignedOrderV4, sourceLocation: location)
        return try info(signed.terms, location: location)
    }

    /// What the contract says of an order that `dex` made.
    ///
    /// - Parameter json: the order as `dex` tells of it.
    func info(
        _ json: JSONValue,
        location: SourceLocation = #_sourceLocation
    ) throws -> OrderInfoV4 {
        try info(try exchange.decodeOrder(json), location: location)
    }

    private func info(
        _ terms: LimitOrderV4,
        location: SourceLocation
    ) throws -> OrderInfoV4 {
        let data = ExchangeCallV4.limit(.info(terms)).data
        let answer = try node.call(
            "eth_call",
            [
                "to": .string(contracts.exchange.checksummed), "data": .string(Hex.encode(data)),
            ],
            "latest"
        )
        let bytes = try Hex.decode(try answer.text("", location: location))
        let info = try ExchangeAnswerV4(bytes, of: .getLimitOrderInfo)
        guard case .info(let info) = info else {
            Issue.record("the answer is of another function", sourceLocation: location)
            throw EVMAnswerError()
        }
        return info
    }

    /// The contract would fill it.
    func isFillable(_ order: any SignedOrder) throws -> Bool {
        try info(order).status == .fillable
    }

    /// What the exchange took in wei for so many fills of a transaction, at its price of gas.
    func protocolFee(_ run: CommandRun, fills: Int128) throws -> Int128 {
        let receipt = try node.call(
            "eth_getTransactionReceipt",
            .string(try run.text("transactions.-1.hash"))
        )
        let price = try receipt.at("effectiveGasPrice").quantity()
        return Int128(contracts.protocolFeeMultiplier) * price * fills
    }

    /// The function that a transaction of `dex` called.
    func function(_ run: CommandRun, _ path: String = "transactions.-1.hash") throws -> String {
        let sent = try node.call("eth_getTransactionByHash", .string(try run.text(path)))
        let data = try Hex.decode(try sent.text("input"))
        return try ExchangeCallV4(data: data).function.name
    }
}

/// An answer of the EVM that is not what was asked for.
struct EVMAnswerError: Error {}
