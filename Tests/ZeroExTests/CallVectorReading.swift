import Ethereum
import StrictJSON

@testable import ZeroEx

extension CallDataV1Tests {
    /// The call that a vector's arguments describe.
    static func call(_ signature: String, _ arguments: JSONValue) throws -> ExchangeCallV1 {
        let name = signature.prefix { $0 != "(" }
        switch name {
        case "fillOrder":
            return .fillOrder(
                try addresses(arguments.array("orderAddresses")),
                try values(arguments.array("orderValues")),
                fill: try arguments.number("fillTakerTokenAmount"),
                shouldThrow: try shouldThrow(arguments),
                try signatureFields(arguments)
            )
        case "fillOrKillOrder":
            return .fillOrKillOrder(
                try addresses(arguments.array("orderAddresses")),
                try values(arguments.array("orderValues")),
                fill: try arguments.number("fillTakerTokenAmount"),
                try signatureFields(arguments)
            )
        case "fillOrdersUpTo":
            return .fillOrdersUpTo(
                try orders(arguments),
                fill: try arguments.number("fillTakerTokenAmount"),
                shouldThrow: try shouldThrow(arguments),
                try signatures(arguments)
            )
        case "batchFillOrders":
            return .batchFillOrders(
                try orders(arguments),
                fills: try numbers(arguments, "fillTakerTokenAmounts"),
                shouldThrow: try shouldThrow(arguments),
                try signatures(arguments)
            )
        case "batchFillOrKillOrders":
            return .batchFillOrKillOrders(
                try orders(arguments),
                fills: try numbers(arguments, "fillTakerTokenAmounts"),
                try signatures(arguments)
            )
        case "cancelOrder":
            return .cancelOrder(
                try addresses(arguments.array("orderAddresses")),
                try values(arguments.array("orderValues")),
                cancel: try arguments.number("cancelTakerTokenAmount")
            )
        case "batchCancelOrders":
            return .batchCancelOrders(
                try orders(arguments),
                cancels: try numbers(arguments, "cancelTakerTokenAmounts")
            )
        default: return try view(name, arguments)
        }
    }

    private static func view(
        _ name: Substring,
        _ arguments: JSONValue
    ) throws -> ExchangeCallV1 {
        switch name {
        case "getOrderHash":
            return .getOrderHash(
                try addresses(arguments.array("orderAddresses")),
                try values(arguments.array("orderValues"))
            )
        case "isValidSignature":
            return .isValidSignature(
                signer: try arguments.address("signer"),
                hash: try arguments.word("hash"),
                try signatureFields(arguments)
            )
        case "filled": return .filled(OrderHash(try arguments.word("orderHash")))
        case "cancelled": return .cancelled(OrderHash(try arguments.word("orderHash")))
        case "getUnavailableTakerTokenAmount":
            return .getUnavailableTakerTokenAmount(OrderHash(try arguments.word("orderHash")))
        case "getPartialAmount", "isRoundingError":
            let numerator = try arguments.number("numerator")
            let denominator = try arguments.number("denominator")
            let target = try arguments.number("target")
            return name == "getPartialAmount"
                ? .getPartialAmount(
                    numerator: numerator,
                    denominator: denominator,
                    target: target
                )
                : .isRoundingError(
                    numerator: numerator,
                    denominator: denominator,
                    target: target
                )
        case "ZRX_TOKEN_CONTRACT": return .zrxTokenContract
        case "TOKEN_TRANSFER_PROXY_CONTRACT": return .tokenTransferProxyContract
        case "VERSION": return .version
        case "EXTERNAL_QUERY_GAS_LIMIT": return .externalQueryGasLimit
        case "authorized": return .authorized(try arguments.address("target"))
        case "getAuthorizedAddresses": return .getAuthorizedAddresses
        default: throw VectorError(what: "unknown function \(name)")
        }
    }

    private static func shouldThrow(_ json: JSONValue) throws -> Bool {
        guard let flag = json["shouldThrowOnInsufficientBalanceOrAllowance"]?.boolValue else {
            throw VectorError(what: "no flag")
        }
        return flag
    }

    private static func addresses(_ json: [JSONValue]) throws -> OrderAddressesV1 {
        let all = try json.map { try Address(lenient: $0.stringValue ?? "") }
        guard all.count == 5 else { throw VectorError(what: "not 5 addresses") }
        return OrderAddressesV1(
            maker: all[0],
            taker: all[1],
            makerToken: all[2],
            takerToken: all[3],
            feeRecipient: all[4]
        )
    }

    private static func values(_ json: [JSONValue]) throws -> OrderValuesV1 {
        let all = json.compactMap { UInt256(decimal: $0.stringValue ?? "") }
        guard all.count == 6 else { throw VectorError(what: "not 6 values") }
        return OrderValuesV1(
            makerAmount: all[0],
            takerAmount: all[1],
            makerFee: all[2],
            takerFee: all[3],
            expiry: all[4],
            salt: all[5]
        )
    }

    private static func signatureFields(_ json: JSONValue) throws -> SignatureFieldsV1 {
        SignatureFieldsV1(
            v: UInt8(truncatingIfNeeded: try json.number("v")),
            r: try json.word("r"),
            s: try json.word("s")
        )
    }

    private static func orders(_ json: JSONValue) throws -> ExchangeCallV1.Orders {
        ExchangeCallV1.Orders(
            addresses: try json.array("orderAddresses").map { try addresses($0.arrayValue ?? []) },
            values: try json.array("orderValues").map { try values($0.arrayValue ?? []) }
        )
    }

    private static func signatures(_ json: JSONValue) throws -> ExchangeCallV1.Signatures {
        ExchangeCallV1.Signatures(
            v: try numbers(json, "v").map { UInt8(truncatingIfNeeded: $0) },
            r: try json.array("r").map { try Bytes32(hex: $0.stringValue ?? "") },
            s: try json.array("s").map { try Bytes32(hex: $0.stringValue ?? "") }
        )
    }

    private static func numbers(_ json: JSONValue, _ key: String) throws -> [UInt256] {
        try json.array(key).map { value in
            guard let number = UInt256(decimal: value.stringValue ?? value.numberText ?? "") else {
                throw VectorError(what: key)
            }
            return number
        }
    }
}
