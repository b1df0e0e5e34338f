import Testing

@testable import DexCommandLine

@Suite("The command line that was probably meant")
struct CommandFormTests {
    private func meant(_ line: String, pair: String? = nil) -> String? {
        CommandForm(line.split(separator: " ").map(String.init), pair: pair).meant()
    }

    @Test(
        "words in another order or form are put in order",
        arguments: [
            ("buy 100 ZRX", "buy ZRX/WETH 100"), ("buy 100ZRX", "buy ZRX/WETH 100"),
            ("buy ZRX WETH 100", "buy ZRX/WETH 100"),
            ("buy 100 zrx with weth", "buy ZRX/WETH 100"),
            ("buy ZRX/WETH 1e3", "buy ZRX/WETH 1000"), ("sell max ZRX/WETH", "sell ZRX/WETH max"),
            ("sell ZRX", "sell ZRX/WETH AMOUNT"), ("sell 100", "sell PAIR 100"),
            ("orderbook zrx weth", "orderbook ZRX/WETH"), ("trades ZRX", "trades ZRX/WETH"),
            ("price 100 ZRX/WETH", "price ZRX/WETH --amount 100"),
            ("limit ZRX/WETH sell", "limit sell ZRX/WETH AMOUNT --price P"),
            ("limit buy 100 ZRX at 0.0007", "limit buy ZRX/WETH 100 --price 0.0007"),
            ("buy ZRX/WETH 5 --price 0.1", "buy ZRX/WETH 5 --max-price 0.1"),
            ("sell ZRX/WETH 5 --price=0.1", "sell ZRX/WETH 5 --min-price 0.1"),
            ("buy ZRX/WETH --amount 5 -y", "buy ZRX/WETH 5 -y"),
            ("send 0.1 ETH cold", "send ETH 0.1 cold"), ("send ETH cold 0.1", "send ETH 0.1 cold"),
            ("send 0.1 ETH to cold", "send ETH 0.1 cold"), ("wrap 1 ETH", "wrap 1"),
            ("allowance set 5 ZRX", "allowance set ZRX 5"), ("fill 10 0x3a8c", "fill 0x3a8c 10"),
            ("cancel ZRX/WETH", "cancel --pair ZRX/WETH"), ("cancel all", "cancel --all"),
            ("orders mine", "orders --mine"),
            ("guard add ZRX/WETH sell 10 --below 1", "guard add sell ZRX/WETH 10 --below 1"),
        ]
    )
    func order(typed: String, expected: String) {
        #expect(meant(typed) == "dex " + expected)
    }

    @Test(
        "a line in order, and one that fits in no way, has no suggestion",
        arguments: [
            "buy ZRX/WETH 100", "buy ZRX/WETH --spend 1", "send ETH 0.1 cold", "wrap .5",
            "fill 0x3a8c 10", "fill 0x3a8c", "cancel 0x3a8c 0x1234", "balance ZRX", "network",
            "buy 100 200 ZRX/WETH", "buy ZRX/WETH 5 --frobnicate 3", "buy -- ZRX 5", "pairs",
            "balance -w bob NOPE", "send -n ETH 0.1 --wallet=bob cold",
        ]
    )
    func nothing(typed: String) {
        #expect(meant(typed) == nil)
    }

    @Test("the missing side of a pair is that of the default pair")
    func defaultPair() {
        #expect(meant("buy 100 ZRX", pair: "ZRX/DAI") == "dex buy ZRX/DAI 100")
        #expect(meant("buy 100 WETH") == "dex buy WETH/QUOTE 100")
    }
}
