import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a replacement pays")
struct ReplacementFeesTests {
    private func fees(
        first: Transaction.Fee? = nil,
        last: Transaction.Fee,
        count: Int = 0,
        market: Transaction.Fee,
        // So much gas that none of these prices is next to nothing.
        limit: UInt64 = 1_000_000_000_000_000,
        isExact: Bool = false,
        tip: Wei? = nil,
        baseFee: Wei? = nil,
        budget: Wei = Wei(.max),
        allowsMore: Bool = false
    ) throws(DexError) -> ReplacementFees {
        try ReplacementFees(
            .init(first: first ?? last, last: last, count: count),
            market: market,
            isExact: isExact,
            tip: tip,
            baseFee: baseFee,
            limit: limit,
            budget: budget,
            coin: .ether,
            allowsMore: allowsMore
        )
    }

    private func dynamic(_ maximum: UInt64, _ tip: UInt64) -> Transaction.Fee {
        .dynamic(maxFeePerGas: Wei(UInt256(maximum)), maxPriorityFeePerGas: Wei(UInt256(tip)))
    }

    @Test(
        "a tenth more, rounded up, and at least one wei more",
        arguments: [
            (0, 1), (1, 2), (9, 10), (10, 11), (11, 13), (99, 109), (100, 110), (101, 112),
            (1_000_000_007, 1_100_000_008),
        ] as [(UInt64, UInt64)]
    )
    func raised(price: UInt64, expected: UInt64) throws {
        #expect(try ReplacementFees.raised(Wei(UInt256(price))) == Wei(UInt256(expected)))
    }

    @Test("a price that stays below the base fee is refused before anything is signed")
    func belowBaseFee() throws {
        // 150 % of 1,000 is what the limits leave.
        let market = dynamic(4_001, 1)
        let last = dynamic(1_000, 1)
        #expect(try fees(last: last, market: market, baseFee: Wei(1_500)).fee.maximum == Wei(1_500))
        let error = #expect(throws: DexError.self) {
            try fees(last: last, market: market, baseFee: Wei(1_501))
        }
        #expect(error?.code == "replacement-too-low")
        #expect(error?.exit == .refused)
        #expect(error?.hint?.hasSuffix("pay more with --beyond-limits.") == true)
        #expect(
            try fees(last: last, market: market, baseFee: Wei(2_000), allowsMore: true).fee.maximum
                == Wei(4_001)
        )
        let poor = #expect(throws: DexError.self) {
            try fees(
                last: last,
                market: market,
                limit: 1,
                baseFee: Wei(1_401),
                budget: Wei(1_400)
            )
        }
        #expect(poor?.hint?.contains("--max-gas-cost and --beyond-limits") == true)
    }

    @Test(
        "the price that a node asks for is read in its words",
        arguments: [
            (
                "transaction underpriced: gas tip cap 1000000000, minimum needed 25000000000",
                25_000_000_000
            ),
            ("gas price too low: minimum gas price 1000000000 wei", 1_000_000_000),
            (
                "transaction underpriced: tip needed 30000000000, tip permitted 1000000000",
                30_000_000_000
            ),
            (
                "priority fee 1000000000 below minimum required priority fee 2000000000",
                2_000_000_000
            ),
            ("fee must be at least 30000000000", 30_000_000_000),
            ("transaction underpriced", nil), ("intrinsic gas too low: minimum needed 21000", nil),
            ("minimum needed", nil),
        ] as [(String, UInt64?)]
    )
    func namedMinimum(words: String, price: UInt64?) {
        #expect(DeclinedSend.minimum(in: words) == price.map { Wei(UInt256($0)) })
    }

    @Test(
        "where a node names a tip that no node reports, the command pays that tip",
        arguments: [
            (
                "transaction underpriced: gas tip cap 1, minimum needed 25000000000",
                " --priority-fee 25"
            ),
            ("tip needed 2500000001, tip permitted 1", " --priority-fee 2.500000001"),
            (
                "priority fee 1 below minimum required priority fee 25000000000",
                " --priority-fee 25"
            ),
            // The nodes report as much: a plain speed-up pays it.
            ("tip needed 1000000000, tip permitted 1", ""),
            // About the whole price, and no tip.
            ("multiple of the minimum gas price 1000000", ""),
        ]
    )
    func namedTip(words: String, flag: String) {
        let gwei: UInt64 = 1_000_000_000
        let transaction = Transaction(
            chainID: 1,
            nonce: 0,
            fee: dynamic(40 * gwei, gwei),
            gasLimit: 21_000,
            to: .zero,
            value: .zero,
            data: []
        )
        let hash = TransactionHash(UInt256(7).word)
        let send = DeclinedSend(
            words,
            hash,
            transaction,
            market: dynamic(21 * gwei, gwei),
            base: Wei(UInt256(10 * gwei))
        )
        #expect(send.remedy == "dex tx speedup \(hash)\(flag)")
    }

    @Test("a tip of the user's is paid whole, or nothing is sent")
    func ownTip() throws {
        let last = dynamic(1_000, 100)
        // At a base fee of 500 and a tip of 400.
        let paid = try fees(last: last, market: dynamic(1_400, 400), tip: Wei(400))
        #expect(paid.fee == dynamic(1_400, 400))
        let low = #expect(throws: DexError.self) {
            try fees(last: last, market: dynamic(1_109, 109), tip: Wei(109))
        }
        #expect(low?.code == "replacement-too-low")
        #expect(low?.message.contains("a tip of 0.00000011 gwei") == true)
        let high = #expect(throws: DexError.self) {
            try fees(last: last, market: dynamic(3_000, 2_000), tip: Wei(2_000))
        }
        #expect(high?.code == "replacement-cap" && high?.exit == .refused)
        #expect(high?.hint == "Wait for it, or pay more with --beyond-limits.")
        let more = try fees(
            last: last,
            market: dynamic(3_000, 2_000),
            tip: Wei(2_000),
            allowsMore: true
        )
        #expect(more.fee == dynamic(3_000, 2_000))
        let poor = #expect(throws: DexError.self) {
            try fees(
                last: last,
                market: dynamic(3_000, 2_000),
                limit: 1,
                tip: Wei(2_000),
                budget: Wei(1_200)
            )
        }
        #expect(poor?.hint?.contains("--max-gas-cost and --beyond-limits") == true)
    }

    @Test("a price that cannot be raised any more is refused, not wrapped round")
    func overflow() {
        #expect(throws: DexError.self) { try ReplacementFees.raised(Wei(.max)) }
    }

    @Test("both prices rise, also where the market pays less")
    func both() throws {
        let result = try fees(last: dynamic(1_000, 101), market: dynamic(5, 1))
        #expect(result == (try fees(last: dynamic(1_000, 101), market: dynamic(1_100, 112))))
        #expect(result.fee == dynamic(1_100, 112))
        #expect(!result.isCut)
    }

    @Test("what the market pays now is paid, up to 150 % of what was confirmed first")
    func market() throws {
        #expect(
            try fees(last: dynamic(1_000, 100), market: dynamic(1_400, 300)).fee
                == dynamic(1_400, 300)
        )
        let cut = try fees(last: dynamic(1_000, 100), market: dynamic(9_000, 8_000))
        #expect(cut.fee == dynamic(1_500, 1_500))
        #expect(cut.isCut)
        let more = try fees(
            last: dynamic(1_000, 100),
            market: dynamic(9_000, 8_000),
            allowsMore: true
        )
        #expect(more.fee == dynamic(9_000, 8_000))
        #expect(!more.isCut)
    }

    @Test("a replacement of next to nothing follows the market, as long as all of it is little")
    func nextToNothing() throws {
        let gwei: UInt64 = 1_000_000_000
        let market = dynamic(3 * gwei, 3 * gwei)
        for last in [dynamic(0, 0), dynamic(1, 1), dynamic(gwei - 1, 0)] {
            let result = try fees(last: last, market: market, limit: 21_000)
            #expect(result.fee == market && !result.isCut)
        }
        // 0.002 ether over 1,000,000 gas are 2 gwei.
        let cut = try fees(last: dynamic(1, 1), market: market, limit: 1_000_000)
        #expect(cut.fee.maximum == Wei(UInt256(2 * gwei)) && cut.isCut)
        let legacy = try fees(
            last: .legacy(gasPrice: .zero),
            market: .legacy(gasPrice: Wei(50_000_000)),
            limit: 21_000
        )
        #expect(legacy.fee == .legacy(gasPrice: Wei(50_000_000)))
        // From 1 gwei on the usual bound holds.
        let usual = try fees(last: dynamic(gwei, 1), market: market, limit: 21_000)
        #expect(usual.fee.maximum == Wei(UInt256(gwei + gwei / 2)) && usual.isCut)
    }

    @Test("the fourth replacement needs a flag, and so does one beyond 150 % of the first")
    func limits() throws {
        let last = dynamic(1_331, 134)
        #expect(throws: DexError.self) {
            try fees(first: dynamic(1_000, 100), last: last, count: 3, market: dynamic(1, 1))
        }
        do throws(DexError) {
            _ = try fees(first: dynamic(1_000, 100), last: last, count: 3, market: dynamic(1, 1))
        } catch {
            #expect(error.code == "replaced-too-often" && error.exit == .refused)
            #expect(error.hint?.contains("--beyond-limits") == true)
        }
        do throws(DexError) {
            _ = try fees(
                first: dynamic(1_000, 100),
                last: dynamic(1_400, 100),
                count: 1,
                market: dynamic(1, 1)
            )
            Issue.record("it is over 150 %")
        } catch {
            #expect(error.code == "replacement-cap" && error.exit == .refused)
        }
        let allowed = try fees(
            first: dynamic(1_000, 100),
            last: last,
            count: 3,
            market: dynamic(1, 1),
            allowsMore: true
        )
        #expect(allowed.fee == dynamic(1_465, 148))
    }

    @Test("the cap over the whole gas holds: cut to it, or refused where even that is too dear")
    func cap() throws {
        let cut = try fees(
            last: dynamic(1_000, 10),
            market: dynamic(1_400, 20),
            limit: 1_000,
            budget: Wei(1_200_000)
        )
        #expect(cut.fee == dynamic(1_200, 20) && cut.isCut)
        do throws(DexError) {
            _ = try fees(
                last: dynamic(1_000, 10),
                market: dynamic(1_400, 20),
                limit: 1_000,
                budget: Wei(1_099_999)
            )
            Issue.record("it is over the cap")
        } catch {
            #expect(error.code == "fee-cap")
        }
    }

    @Test("transactions with one price keep their kind")
    func kinds() throws {
        let legacy = try fees(
            last: .legacy(gasPrice: Wei(1_000)),
            market: dynamic(1_300, 20)
        )
        #expect(legacy.fee == .legacy(gasPrice: Wei(1_300)))
        let listed = try fees(
            last: .accessList(gasPrice: Wei(1_000)),
            market: .legacy(gasPrice: Wei(3))
        )
        #expect(listed.fee == .accessList(gasPrice: Wei(1_100)))
    }

    @Test("a price that was told is paid as it is, or refused: too low, too far, over the cap")
    func exact() throws {
        let last = dynamic(1_000, 100)
        let reported = try fees(last: last, market: dynamic(1_300, 20), isExact: true)
        #expect(reported.fee == dynamic(1_300, 110) && !reported.isCut)
        let refusals = [
            (dynamic(1_099, 20), Wei(.max), "replacement-too-low"),
            (dynamic(1_501, 20), Wei(.max), "replacement-cap"),
            (dynamic(1_300, 20), Wei(1_299_999), "fee-cap"),
        ]
        for (market, budget, code) in refusals {
            do throws(DexError) {
                _ = try fees(
                    last: last,
                    market: market,
                    limit: budget == Wei(.max) ? 1_000_000_000_000_000 : 1_000,
                    isExact: true,
                    budget: budget
                )
                Issue.record("\(code) was expected")
            } catch {
                #expect(error.code == code && error.exit == .refused)
            }
        }
        let far = try fees(last: last, market: dynamic(9_000, 20), isExact: true, allowsMore: true)
        #expect(far.fee == dynamic(9_000, 110))
        let legacy = try fees(
            last: .legacy(gasPrice: Wei(1_000)),
            market: .legacy(gasPrice: Wei(1_200)),
            isExact: true
        )
        #expect(legacy.fee == .legacy(gasPrice: Wei(1_200)))
    }
}
