import DexStore
import Ethereum
import ZeroEx

@testable import DexCore

extension Fixtures {
    /// Of a hostile venue: escape sequences and a reversal in its texts.
    private static let quote = QuoteSummary(
        venue: "0x Swap",
        id: "0x111111111111111111111111",
        block: 21_345_677,
        sources: [
            .init(name: "Curve\u{1B}[31m", basisPoints: 2_050),
            .init(name: "Uniswap_V3", basisPoints: 7_950),
        ],
        fees: [
            .init(amount: milli(3_750), token: .token(zrx.address), kind: "zeroEx"),
            .init(amount: 77, token: .native, kind: "gas\u{202E}"),
        ],
        age: 3
    )

    /// 2500 ZRX for WETH at the swap venue, with an approval before.
    static let swapPlan = TradePlan(
        side: .buy,
        pair: pair,
        block: 21_345_678,
        account: address(77),
        legs: [],
        payToken: weth,
        receiveToken: zrx,
        expectedPay: 2_995_000_000_000_000_000,
        maximumPay: 3_024_920_050_000_000_000,
        maximumCost: 3_024_920_050_000_000_000,
        expectedReceive: milli(2_500_000),
        minimumReceive: milli(2_500_000),
        average: price(1_198),
        worst: price(1_210),
        impactBasisPoints: 83,
        fees: nil,
        maximumFees: nil,
        steps: [
            PlannedTransaction(
                purpose: .approve,
                summary: "approve 3.02492005 WETH to 0x Swap's contract 0x0000",
                gasLimit: 50_000
            ),
            PlannedTransaction(
                purpose: .swap,
                summary: "trade with 0x Swap at 0x0000",
                gasLimit: 295_000
            ),
        ],
        gas: gas,
        warnings: ["0x Swap is asked again after the approval."],
        skipsGoneOrders: true,
        venue: .swap,
        alternatives: [
            VenueAlternative(
                venue: .book,
                average: price(1_212),
                worst: price(1_220),
                gas: 295_000,
                reason: "It costs 1.18 % more."
            )
        ],
        quote: quote
    )

    /// A sale of the chain's own coin without anything to compare with.
    static let nativeSwapPlan = TradePlan(
        side: .sell,
        pair: Pair(base: .nativeCoin(.ether), quote: zrx),
        block: 21_345_678,
        account: address(77),
        legs: [],
        payToken: .nativeCoin(.ether),
        receiveToken: zrx,
        expectedPay: 1_000_000_000_000_000_000,
        maximumPay: 1_000_000_000_000_000_000,
        maximumCost: 1_000_000_000_000_000_000,
        expectedReceive: milli(830_000),
        minimumReceive: milli(821_782),
        average: price(830_000_000),
        worst: price(821_782_000),
        impactBasisPoints: nil,
        fees: nil,
        maximumFees: nil,
        steps: [
            PlannedTransaction(
                purpose: .swap,
                summary: "trade with 0x Swap at 0x0000",
                gasLimit: 345_000
            )
        ],
        gas: gas,
        warnings: [],
        skipsGoneOrders: true,
        venue: .swap,
        alternatives: [
            VenueAlternative(
                venue: .book,
                average: nil,
                worst: nil,
                gas: nil,
                reason: "No answer from the relay at http://127.0.0.1:3000: refused\u{1B}[2J."
            )
        ],
        quote: QuoteSummary(
            venue: "0x Swap",
            id: nil,
            block: nil,
            sources: [],
            fees: []
        )
    )

    /// The book is used beside a swap that would be worse.
    static var bookBesideSwapPlan: TradePlan {
        var plan = buyPlan
        plan.alternatives = [
            VenueAlternative(
                venue: .swap,
                average: price(1_230),
                worst: price(1_243),
                gas: nil,
                reason: "It costs 1.49 % more. Gas is not compared: it has no known price in WETH."
            )
        ]
        return plan
    }

    /// The book's orders first, the rest at the swap venue.
    static var splitPlan: SplitPlan {
        let parts = [buyPlan, swapPlan]
        return SplitPlan(
            parts: parts,
            alternatives: bookBesideSwapPlan.alternatives + [
                VenueAlternative(
                    venue: .book,
                    average: nil,
                    worst: nil,
                    gas: nil,
                    reason: "The book sells only 100 ZRX of the 2600 asked for."
                )
            ],
            balances: PlannedBalance.after(parts.map(\.balances)),
            origin: nil
        )
    }

    static var splitOutcome: SplitOutcome {
        SplitOutcome(
            plan: splitPlan,
            parts: [buyOutcome, swapOutcome],
            transactions: buyOutcome.transactions + swapOutcome.transactions
        )
    }

    /// The second part was not sent.
    static var splitOutcomeStopped: SplitOutcome {
        SplitOutcome(
            plan: splitPlan,
            parts: [buyOutcome],
            transactions: buyOutcome.transactions + [sent(.approve, .confirmed)],
            failure: SwapError.quoteMoved(venue: "0x Swap")
        )
    }

    static let swapOutcome = TradeOutcome(
        plan: swapPlan,
        transactions: [
            sent(.approve, .confirmed),
            SentTransaction(
                purpose: .swap,
                hash: hash(501),
                coin: .ether,
                stage: .confirmed,
                block: 21_345_679,
                gasUsed: 198_765,
                cost: Wei(3_279_622_500_000_000)
            ),
        ],
        received: milli(2_500_000),
        paid: 3_001_000_000_000_000_000,
        fees: .zero,
        effectivePrice: Price(quote: 3_001, base: 2_500_000),
        legs: [],
        warnings: [],
        ending: .done
    )

    static let swapOutcomeLess = TradeOutcome(
        plan: swapPlan,
        transactions: [
            SentTransaction(
                purpose: .swap,
                hash: hash(501),
                coin: .ether,
                stage: .confirmed,
                block: 21_345_679,
                gasUsed: 98_765,
                cost: Wei(1_279_622_500_000_000)
            )
        ],
        received: .zero,
        paid: .zero,
        fees: .zero,
        effectivePrice: nil,
        legs: [],
        warnings: ["The transaction was mined, and nothing of it arrived."],
        ending: .less
    )

    /// The same with what others did in its block.
    static func outcome(_ found: Result<FrontRunning, DexError>) -> TradeOutcome {
        var outcome = swapOutcome
        outcome.frontRunning = found
        outcome.warnings += outcome.frontRunningWarnings
        return outcome
    }

    static let alone = FrontRunning(ahead: [], sandwich: nil, lost: nil)
    static let ahead = FrontRunning(
        ahead: [hash(601), hash(602)],
        sandwich: nil,
        lost: 4_000_000_000_000_000
    )
    static let sandwich = FrontRunning(
        ahead: [hash(601)],
        sandwich: FrontRunning.Sandwich(front: hash(601), back: hash(603), account: address(0xbad)),
        lost: 6_000_000_000_000_000
    )
}
