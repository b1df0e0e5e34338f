import DexTestSupport
import Ethereum
import StrictJSON
import Testing

/// A pool of the chain, and what it gives: the formula once more, apart from the contract's.
struct EVMPool: Sendable {
    let address: Address
    let first: EVMToken
    let second: EVMToken
    /// Base units of the first and of the second token.
    private(set) var reserves: (UInt256, UInt256)

    /// - Parameters:
    ///   - number: the last digit of its address.
    ///   - first: a token and how much the pool has of it, in human units.
    init(_ number: UInt64, _ first: (EVMToken, String), _ second: (EVMToken, String)) throws {
        let start = UInt256(0x9001_0000_0000_0000_0000_0000_0000_0000_0000_0000)
        address = Address(truncating: (start + UInt256(number)).word)
        self.first = first.0
        self.second = second.0
        reserves = (try first.0.raw(first.1), try second.0.raw(second.1))
    }

    var name: String { "\(first.symbol)/\(second.symbol) pool" }

    /// Sells a token to the pool and returns what it pays of the other one, in base units.
    mutating func sell(_ token: EVMToken, _ amount: UInt256) throws -> UInt256 {
        let isFirst = token == first
        let (reserveIn, reserveOut) = isFirst ? reserves : (reserves.1, reserves.0)
        let kept = amount * 997
        let paid = try #require(
            UInt256.mulDiv(kept, reserveOut, reserveIn * 1000 + kept)?.quotient
        )
        let after = (reserveIn + amount, reserveOut - paid)
        reserves = isFirst ? after : (after.1, after.0)
        return paid
    }

    /// How the genesis describes it.
    var genesis: JSONValue {
        [
            "address": .string(address.checksummed),
            "tokens": [.string(first.address.checksummed), .string(second.address.checksummed)],
            "reserves": [.string(reserves.0.description), .string(reserves.1.description)],
        ]
    }
}
