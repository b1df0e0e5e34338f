import Ethereum
import Foundation
import StrictJSON

@testable import Uniswap

/// The swaps and addresses that the genuine contracts carried out and created.
struct PoolVectors {
    static let swaps = PoolVectors("uniswap-swaps.json")
    static let addresses = PoolVectors("uniswap-addresses.json")

    let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    private init(_ name: String) {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try? Data(contentsOf: folder.appendingPathComponent("Vectors/" + name))
        json = data.flatMap { try? JSONParser.parse($0) } ?? .null
    }

    /// A vector file has not the shape that the test expects.
    struct Malformed: Error {
        let key: String
    }

    subscript(_ key: String) -> PoolVectors { PoolVectors(json[key] ?? .null) }

    var isNull: Bool { json.isNull }

    /// A text that may be missing or null.
    func text(_ key: String) -> String? { json[key]?.stringValue }

    func string() throws -> String {
        guard let text = json.stringValue ?? json.numberText else { throw Malformed(key: "text") }
        return text
    }

    func string(_ key: String) throws -> String {
        guard let text = json[key]?.stringValue ?? json[key]?.numberText else {
            throw Malformed(key: key)
        }
        return text
    }

    func list(_ key: String) throws -> [PoolVectors] {
        guard let array = json[key]?.arrayValue else { throw Malformed(key: key) }
        return array.map { PoolVectors($0) }
    }

    func list() throws -> [PoolVectors] {
        guard let array = json.arrayValue else { throw Malformed(key: "list") }
        return array.map { PoolVectors($0) }
    }

    func number(_ key: String) throws -> UInt256 {
        guard let number = UInt256(decimal: try string(key)) else { throw Malformed(key: key) }
        return number
    }

    func integer<Number: FixedWidthInteger>(_ key: String) throws -> Number {
        guard let number = Number(try string(key)) else { throw Malformed(key: key) }
        return number
    }

    func address(_ key: String) throws -> Address { try Address(try string(key)) }

    /// The pool of a scenario.
    func poolID() throws -> PoolID {
        let kind: PoolKind = try string("version") == "2" ? .v2 : .v3(fee: try integer("fee"))
        guard let id = PoolID(try address("token0"), try address("token1"), kind) else {
            throw Malformed(key: "token0")
        }
        return id
    }

    /// The state of a pool of a scenario.
    func depth() throws -> PoolDepth {
        if try string("version") == "2" {
            let pair = PairState(
                reserve0: try number("reserve0"),
                reserve1: try number("reserve1")
            )
            guard let pair else { throw Malformed(key: "reserve0") }
            return .v2(pair)
        }
        let spacing: Int32 = try integer("tickSpacing")
        let ticks = try list("ticks").map { tick in
            let values = try tick.list()
            guard values.count == 3, let tick = Int32(try values[0].string()),
                let net = Int128(try values[1].string())
            else { throw Malformed(key: "ticks") }
            return InitialisedTick(tick: tick, liquidityNet: net)
        }
        return .v3(
            try PoolState(
                sqrtPrice: number("sqrtPriceX96"),
                tick: integer("tick"),
                liquidity: integer("liquidity"),
                fee: integer("fee"),
                tickSpacing: spacing,
                words: TickBitmap.words(spacing: spacing),
                ticks: ticks
            )
        )
    }

    /// The fixed amount of a leg.
    func amount() throws -> PoolAmount {
        let amount = try number("amount")
        return try string("exact") == "in" ? .exactIn(amount) : .exactOut(amount)
    }
}
