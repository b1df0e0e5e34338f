import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("Screens and JSON of the user's own tokens")
struct TokenScreenTests {
    /// Drawn by `ScreenTests` at 80 columns, and at every other width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("balance-discovered", { BalanceView(discovered).lines($0) }),
        (
            "balance-discovered-none",
            { screen in
                var state = discovered
                state.discovered = DiscoveredTokens(
                    blocks: 0...21_345_678,
                    rows: [],
                    contracts: 3,
                    isCut: false
                )
                return BalanceView(state).lines(screen)
            }
        ),
        (
            "token-add",
            {
                TokenAdditionView(addition(), list: "/home/me/mainnet.tokenlist.json", isNew: true)
                    .lines($0)
            }
        ),
        (
            "token-add-copy",
            {
                TokenAdditionView(
                    addition(
                        copied: [Fixtures.zrx],
                        warnings: [
                            "It is NOT the listed ZRX (\(Fixtures.zrx.address.checksummed))."
                        ]
                    ),
                    list: "/home/me/mainnet.tokenlist.json",
                    isNew: false
                ).lines($0)
            }
        ),
    ]

    static let discovered = {
        var state = BalanceState(
            owner: Fixtures.address(77),
            block: 21_345_678,
            coin: .ether,
            ether: Wei(1_234_500_000_000_000_000),
            rows: []
        )
        state.discovered = DiscoveredTokens(
            blocks: 21_000_000...21_345_678,
            rows: [
                .init(
                    token: Fixtures.token(6, "FOO", "Foo", 2),
                    balance: 12_345,
                    marks: [],
                    imitates: nil
                ),
                .init(
                    token: Fixtures.token(7, "USDC\u{1B}[31m", "claim at x.xyz", 6),
                    balance: 5_000_000,
                    marks: [.lookAlike, .link, .neverSent],
                    imitates: Fixtures.usdc
                ),
                .init(
                    token: Fixtures.token(8, "0x12…34", "", nil),
                    balance: 77,
                    marks: [.noSymbol, .noDecimals, .neverSent],
                    imitates: nil
                ),
                .init(
                    token: Fixtures.token(9, "WWWWWWWWWWWWWWWWWWWW", "http://x.y", 0),
                    balance: .max,
                    marks: [.link, .neverSent],
                    imitates: nil
                ),
            ],
            contracts: 40,
            isCut: true
        )
        return state
    }()

    @Test("what was found is in the JSON with its marks, and without a price")
    func discoveredJSON() {
        let found = ReadJSON.balance(Self.discovered)["discovered"]
        #expect(found?["fromBlock"] == 21_000_000 && found?["isCut"] == true)
        let rows = found?["tokens"]?.arrayValue ?? []
        #expect(rows.map { $0["isSpam"] } == [false, true, true, true])
        #expect(rows[1]["marks"] == ["look-alike", "link", "never-sent"])
        #expect(rows[1]["imitates"]?["symbol"] == "USDC")
        #expect(rows[1]["token"]?["symbol"] == "USDC")
        #expect(rows.allSatisfy { $0["value"] == nil })
    }

    private static func addition(
        copied: [Token] = [],
        warnings: [String] = []
    ) -> TokenAdditionState {
        TokenAdditionState(
            network: "mainnet",
            token: Fixtures.token(0xF00, "FOO", "Foo \u{1B}[31mtoken", 8),
            ownSymbol: "FOO",
            supply: 2_100_000_000_000_000,
            balance: 150_000_000,
            block: 21_000_000,
            copied: copied,
            warnings: warnings
        )
    }

    @Test("the JSON has the token, its supply, and what it copies")
    func json() {
        let data = SettingsJSON.addition(
            .init(Self.addition(copied: [Fixtures.zrx]), list: "/l.json", isNew: true)
        )
        #expect(data["network"] == "mainnet" && data["list"] == "/l.json")
        #expect(data["token"]?["symbol"] == "FOO" && data["contractSymbol"] == "FOO")
        #expect(data["token"]?["name"] == "Foo token")
        #expect(data["supply"]?["value"] == "21000000")
        #expect(data["balance"]?["raw"] == "150000000")
        #expect(data["copies"]?.arrayValue?.count == 1)
        #expect(data["isNewList"] == true && data["block"] == 21_000_000)
    }

    @Test("the last line says what was added")
    func done() {
        let screen = Screen(width: 120, style: .plain, now: Fixtures.now)
        let lines = TokenAdditionView(Self.addition(), list: "/l", isNew: true).doneLines(screen)
        #expect(lines.first?.hasPrefix("FOO (0x") == true)
        #expect(lines.first?.hasSuffix("is added to the tokens of mainnet.") == true)
    }
}
