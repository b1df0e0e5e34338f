import DexSigning
import Ethereum
import ZeroEx

/// What a plan says of a transaction beyond its bytes.
struct PlannedMoves: Sendable {
    /// The most that leaves by a signed message, in base units.
    var leaves: [Asset: UInt256] = [:]
    /// The least that arrives, in base units.
    var arrives: [Asset: UInt256] = [:]

    /// It brings nothing.
    static let none = PlannedMoves()
}

extension PlannedMoves {
    /// What a trade takes and brings at its limits.
    init(_ limits: Limits) {
        if let pays = limits.pays { leaves[Self.asset(pays.token)] = pays.raw }
        if let receives = limits.receives { arrives[Self.asset(receives.token)] = receives.raw }
        guard let fees = limits.fees, fees.token != limits.pays?.token else { return }
        let asset = Self.asset(fees.token)
        // A fee in the token that arrives is taken off it.
        if let least = arrives[asset] {
            arrives[asset] = least.subtractingSaturating(fees.raw)
        } else {
            leaves[asset] = fees.raw
        }
    }

    private static func asset(_ token: Address) -> Asset {
        token == Token.nativeCoinAddress ? .ether : .token(token)
    }
}
