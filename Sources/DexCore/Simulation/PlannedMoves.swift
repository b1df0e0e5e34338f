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
        self.init(pays: limits.pays, receives: limits.receives, fees: limits.fees)
    }

    /// - Parameters:
    ///   - pays: the most, with fees in the same token.
    ///   - receives: the least.
    ///   - fees: the most.
    init(pays: Limits.Amount?, receives: Limits.Amount?, fees: Limits.Amount? = nil) {
        if let pays { leaves[Self.asset(pays.token)] = pays.raw }
        if let receives { arrives[Self.asset(receives.token)] = receives.raw }
        guard let fees, fees.token != pays?.token else { return }
        let asset = Self.asset(fees.token)
        // A fee in the token that arrives is taken off it.
        if let minimum = arrives[asset] {
            arrives[asset] = minimum.subtractingSaturating(fees.raw)
        } else {
            leaves[asset] = fees.raw
        }
    }

    private static func asset(_ token: Address) -> Asset {
        token == Token.nativeCoinAddress ? .ether : .token(token)
    }
}
