import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Conditions of alerts, read")
struct AlertParserTests {
    private let market: TestMarket

    init() throws {
        market = try TestMarket()
    }

    private static let pair = PairAddresses(base: TestMarket.zrx, quote: TestMarket.weth)

    static let accepted: [(text: String, condition: AlertCondition, shown: String)] = [
        ("ZRX/WETH < 0.00074", .price(.mid, pair, .less, "0.00074"), "ZRX/WETH < 0.00074"),
        ("ZRX/WETH<0.00074", .price(.mid, pair, .less, "0.00074"), "ZRX/WETH < 0.00074"),
        ("ZRX/WETH mid >= .5", .price(.mid, pair, .atLeast, ".5"), "ZRX/WETH >= .5"),
        ("ZRX/WETH bid > 0.0008", .price(.bid, pair, .more, "0.0008"), "ZRX/WETH bid > 0.0008"),
        ("ZRX/WETH  ask  <=  1k", .price(.ask, pair, .atMost, "1k"), "ZRX/WETH ask <= 1k"),
        ("ZRX/WETH spread > 2%", .spread(pair, .more, 200), "ZRX/WETH spread > 2%"),
        ("ZRX/WETH spread < 0.05", .spread(pair, .less, 5), "ZRX/WETH spread < 0.05%"),
        (
            "balance WETH < 1", .balance(TestMarket.weth, .less, "1"), "balance WETH < 1"
        ),
        ("balance eth <= 0", .balance(nil, .atMost, "0"), "balance ETH <= 0"),
        ("fill", .order(.fill, nil), "fill"),
        ("unfunded ZRX/WETH", .order(.unfunded, pair), "unfunded ZRX/WETH"),
        ("  expiring  ", .order(.expiring, nil), "expiring"),
    ]

    @Test("each form is read exactly", arguments: accepted)
    func accepts(text: String, condition: AlertCondition, shown: String) async throws {
        let parsed = try await AlertParser(session: try market.session()).parse(text)
        #expect(parsed.condition == condition)
        #expect(parsed.text == shown)
    }

    @Test(
        "anything else is refused with its own code",
        arguments: [
            ("", "bad-alert"), ("ZRX/WETH", "bad-alert"), ("ZRX/WETH = 1", "bad-alert"),
            ("ZRX/WETH < ", "bad-alert"), ("< 1", "bad-alert"), ("ZRX/WETH << 1", "bad-alert"),
            ("ZRX/WETH < 1 2", "bad-alert"), ("ZRX/WETH last < 1", "bad-alert"),
            ("ZRX/WETH bid now < 1", "bad-alert"), ("fill ZRX/WETH now", "bad-alert"),
            ("filled", "bad-alert"), ("ZRX/WETH < mid", "bad-price"),
            ("ZRX/WETH < 0", "bad-price"), ("ZRX/WETH < -1", "bad-price"),
            ("ZRX/WETH spread > 101%", "bad-percent"), ("ZRX/WETH spread > x", "bad-percent"),
            ("balance WETH < 1e5", "bad-amount"), ("balance NOPE < 1", "unknown-token"),
            ("ZRX < 1", "malformed-pair"), ("ZRX/ZRX < 1", "same-token"),
        ]
    )
    func refuses(text: String, code: String) async throws {
        let error = await #expect(throws: DexError.self) {
            _ = try await AlertParser(session: try market.session()).parse(text)
        }
        #expect(error?.code == code)
        #expect(error?.exit == .usage)
    }
}
