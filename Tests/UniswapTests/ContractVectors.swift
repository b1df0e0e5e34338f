import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import Uniswap

/// The files of calls and logs of the genuine contracts.
enum ContractVectors {
    static let calldata = file("uniswap-calldata.json")
    static let events = file("uniswap-events.json")
    static let swaps = file("uniswap-swaps.json")

    private static func file(_ name: String) -> JSONValue {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let url = folder.appendingPathComponent("Vectors").appendingPathComponent(name)
        guard let data = try? Data(contentsOf: url), let json = try? JSONParser.parse(data) else {
            Issue.record("Tests/UniswapTests/Vectors/\(name) cannot be read")
            return .null
        }
        return json
    }

    /// The calls of the file, by their names.
    static func cases() throws -> [CallVector] {
        try #require(calldata["cases"]?.arrayValue).map(CallVector.init)
    }

    static func call(_ name: String) throws -> CallVector {
        try #require(try cases().first { $0.name == name }, "no call \(name)")
    }

    static func token(_ symbol: String) throws -> Address {
        try calldata.member("tokens").member(symbol).address("address")
    }
}

/// A member that the test expects is missing, or of another kind.
struct VectorFault: Error {
    let key: String
}

extension JSONValue {
    func member(_ key: String) throws -> JSONValue {
        guard let value = self[key] else { throw VectorFault(key: key) }
        return value
    }

    func string(_ key: String) throws -> String {
        guard let text = self[key]?.stringValue ?? self[key]?.numberText else {
            throw VectorFault(key: key)
        }
        return text
    }

    func list(_ key: String) throws -> [JSONValue] {
        guard let values = self[key]?.arrayValue else { throw VectorFault(key: key) }
        return values
    }

    func hexBytes(_ key: String) throws -> [UInt8] { try Hex.decode(try string(key)) }

    func address(_ key: String) throws -> Address { try Address(lenient: try string(key)) }

    func integer(_ key: String) throws -> UInt256 {
        guard let number = UInt256(decimal: try string(key)) else { throw VectorFault(key: key) }
        return number
    }
}

/// One call of the file.
struct CallVector {
    let name: String
    let to: Address
    let from: Address
    let value: Wei
    let deadline: UInt64?
    let calls: [JSONValue]
    let data: [UInt8]
    let reverts: Bool
    let json: JSONValue

    init(_ json: JSONValue) throws {
        self.json = json
        name = try json.string("name")
        to = try json.address("to")
        from = try json.address("from")
        value = Wei(try json.integer("value"))
        deadline = json["multicall"]?["deadline"]?.stringValue.flatMap { UInt64($0) }
        calls = try json.list("calls")
        data = try json.hexBytes("data")
        reverts = try json.string("status") == "0"
    }

    /// The swaps of the call as values, read from the named arguments.
    func swaps() throws -> [RouterSwap] {
        try calls.compactMap { call in
            let arguments = try call.member("args")
            let name = try call.string("function").prefix { $0 != "(" }
            switch name {
            case "exactInputSingle": return try Self.single(arguments, exactIn: true)
            case "exactOutputSingle": return try Self.single(arguments, exactIn: false)
            case "exactInput": return try Self.path(arguments, exactIn: true)
            case "exactOutput": return try Self.path(arguments, exactIn: false)
            case "swapExactTokensForTokens": return try Self.v2(arguments, exactIn: true)
            case "swapTokensForExactTokens": return try Self.v2(arguments, exactIn: false)
            default: return nil
            }
        }
    }

    /// The call as a value with the case's own swaps; unwrapping and refund by the names.
    func routerCall() throws -> RouterCall {
        var call = RouterCall(deadline: deadline ?? 0, swaps: try swaps(), value: value)
        for json in calls {
            switch try json.string("function") {
            case "unwrapWETH9(uint256,address)":
                let arguments = try json.member("args")
                call.unwrap = RouterUnwrap(
                    minimum: try arguments.integer("amountMinimum"),
                    recipient: try arguments.address("recipient")
                )
            case "refundETH()": call.refunds = true
            default: break
            }
        }
        return call
    }

    private static func single(_ json: JSONValue, exactIn: Bool) throws -> RouterSwap {
        let fee = try #require(try json.integer("fee").uint64)
        let path = PoolPath(
            [try json.address("tokenIn"), try json.address("tokenOut")],
            [.v3(fee: UInt32(fee))]
        )
        return RouterSwap(
            path: try #require(path),
            amount: exactIn
                ? .exactIn(try json.integer("amountIn")) : .exactOut(try json.integer("amountOut")),
            bound: try json.integer(exactIn ? "amountOutMinimum" : "amountInMaximum"),
            recipient: try json.address("recipient")
        )
    }

    private static func path(_ json: JSONValue, exactIn: Bool) throws -> RouterSwap {
        let bytes = try json.hexBytes("path")
        var tokens: [Address] = []
        var kinds: [PoolKind] = []
        for start in stride(from: 0, to: bytes.count, by: 23) {
            tokens.append(try #require(Address(bytes: bytes[start..<start + 20])))
            guard start + 23 <= bytes.count else { break }
            let fee = bytes[start + 20..<start + 23].reduce(0) { $0 << 8 | UInt32($1) }
            kinds.append(.v3(fee: fee))
        }
        if !exactIn { (tokens, kinds) = (tokens.reversed(), kinds.reversed()) }
        return RouterSwap(
            path: try #require(PoolPath(tokens, kinds)),
            amount: exactIn
                ? .exactIn(try json.integer("amountIn")) : .exactOut(try json.integer("amountOut")),
            bound: try json.integer(exactIn ? "amountOutMinimum" : "amountInMaximum"),
            recipient: try json.address("recipient")
        )
    }

    private static func v2(_ json: JSONValue, exactIn: Bool) throws -> RouterSwap {
        let tokens = try json.list("path").map { try Address(lenient: $0.stringValue ?? "") }
        let kinds = Array(repeating: PoolKind.v2, count: tokens.count - 1)
        return RouterSwap(
            path: try #require(PoolPath(tokens, kinds)),
            amount: exactIn
                ? .exactIn(try json.integer("amountIn")) : .exactOut(try json.integer("amountOut")),
            bound: try json.integer(exactIn ? "amountOutMin" : "amountInMax"),
            recipient: try json.address("to")
        )
    }
}
