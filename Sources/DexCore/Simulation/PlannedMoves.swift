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
    /// - Parameters:
    ///   - most: base units, with fees in the same token.
    ///   - least: base units.
    init(pays pay: Token, atMost most: UInt256, receives receive: Token, atLeast least: UInt256) {
        leaves[Self.asset(pay)] = most
        arrives[Self.asset(receive)] = least
    }

    /// What a trade on the book brings.
    init(_ plan: TradePlan) {
        self.init(
            pays: plan.payToken,
            atMost: plan.maximumCost,
            receives: plan.receiveToken,
            atLeast: plan.minimumReceive
        )
        guard let fees = plan.maximumFees, !plan.paysFeesOnTop else { return }
        // A fee in the token that arrives is taken off it.
        if fees.token.address == plan.receiveToken.address {
            arrives[Self.asset(fees.token)] = plan.minimumReceive.subtractingSaturating(fees.raw)
        } else {
            leaves[Self.asset(fees.token)] = fees.raw
        }
    }

    private static func asset(_ token: Token) -> Asset {
        token.isNativeCoin ? .ether : .token(token.address)
    }
}
