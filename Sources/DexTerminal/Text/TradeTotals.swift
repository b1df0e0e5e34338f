import DexCore
import Ethereum
import ZeroEx

/// What is paid and received by a trade, or by all parts of one: base units, with their bounds.
protocol TradeTotals: PlanContent {
    var side: TradeSide { get }
    var payToken: Token { get }
    var receiveToken: Token { get }
    /// With fees in the paid token.
    var expectedCost: UInt256 { get }
    var maximumCost: UInt256 { get }
    var expectedReceive: UInt256 { get }
    var minimumReceive: UInt256 { get }
}

extension TradePlan: TradeTotals {}
extension SplitPlan: TradeTotals {}

extension TradeTotals {
    /// `Buy >= 100 ZRX for ~0.02 WETH (<= 0.0202)`.
    var headline: String {
        let receive = Self.promise(
            NumberText.brief(expectedReceive, receiveToken, .down),
            minimumReceive == expectedReceive
                ? nil : NumberText.briefValue(minimumReceive, receiveToken.decimals, .down),
            ">="
        )
        let cost = NumberText.brief(expectedCost, payToken, .up)
        let pay =
            maximumCost == expectedCost
            ? cost
            : Self.promise(
                cost,
                NumberText.briefValue(maximumCost, payToken.decimals, .up),
                "<="
            )
        return side == .buy ? "Buy \(receive) for \(pay)" : "Sell \(pay) for \(receive)"
    }

    /// `~100 ZRX (>= 99.9)`: what is expected and its bound; `>= 100 ZRX` where that is the bound.
    private static func promise(_ expected: String, _ bound: String?, _ sign: String) -> String {
        bound.map { "~\(expected) (\(sign) \($0))" } ?? "\(sign) \(expected)"
    }

    /// `~0.02 WETH (max 0.0202)`; `at maximum 0.02 WETH` if it cannot be more.
    var payText: String { Self.bounded(expectedCost, maximumCost, payToken, "max", "at most") }

    /// `~100 ZRX (min 99.9907)`; `at minimum 100 ZRX` if it cannot be less.
    var receiveText: String {
        Self.bounded(expectedReceive, minimumReceive, receiveToken, "min", "at least")
    }

    private static func bounded(
        _ expected: UInt256,
        _ bound: UInt256,
        _ token: Token,
        _ word: String,
        _ alone: String
    ) -> String {
        let amount = NumberText.amount(expected, token)
        guard bound != expected else { return "\(alone) \(amount)" }
        return "~\(amount) (\(word) \(TokenAmount(raw: bound, token: token).value))"
    }
}

extension PlanQuestion {
    init(_ plan: some TradeTotals, inParts parts: Int) {
        let pay = NumberText.expected(plan.expectedCost, maximum: plan.maximumCost, plan.payToken)
        let receive = NumberText.expected(
            plan.expectedReceive,
            minimum: plan.minimumReceive,
            plan.receiveToken
        )
        let ending = parts > 1 ? ", in \(parts) parts?" : "?"
        self.init(
            plan.side == .buy
                ? "Buy \(receive) for \(pay)\(ending)" : "Sell \(pay) for \(receive)\(ending)",
            word: plan.word
        )
    }
}
