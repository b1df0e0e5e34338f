import DexCore
import Testing

@testable import DexSettings

@Suite("Removing settings")
struct UnsetTests {
    private static let text = """
        # mine
        network = "sandbox" # the usual one
        wallet = "main"

        [trade]
        # careful
        slippage = 1
        pair = "ZRX/WETH"   # goes with its comment

        [networks.mine]
        chain_id = 7
        # a node
        rpc = [
            "http://127.0.0.1:1", # first
        ]
        exchange = "0x12459c951127e0c374ff9105dda097662a027093"

        [networks.mine.swap]
        api = "https://api.example"

        [watch]
        interval = 10
        """

    private static func file(_ text: String = text) throws -> SettingsFile {
        try SettingsFile(content: Array(text.utf8), path: "/c")
    }

    @Test("a setting goes with its line, and all else stays as written")
    func setting() throws {
        var file = try Self.file()
        let removed = try file.unset(["trade", "pair"])
        #expect(removed == [["trade", "pair"]: .text("ZRX/WETH")])
        #expect(
            file.text
                == Self.text.replacing(
                    "pair = \"ZRX/WETH\"   # goes with its comment\n",
                    with: ""
                )
        )
        _ = try file.unset(["networks", "mine", "rpc"])
        #expect(!file.text.contains("127.0.0.1"))
        #expect(file.text.contains("# a node\nexchange"))
        // Without a line end behind it.
        _ = try file.unset(["watch", "interval"])
        #expect(file.text.hasSuffix("[watch]\n"))
    }

    @Test("a table goes whole, with the tables below it and the comments in it")
    func table() throws {
        var file = try Self.file()
        #expect(try file.unset(["networks", "mine"]).count == 4)
        #expect(!file.text.contains("mine]"))
        #expect(!file.text.contains("a node"))
        #expect(file.text.contains("[trade]\n# careful\nslippage = 1\n"))
        #expect(file.text.hasSuffix("[watch]\ninterval = 10"))
    }

    @Test("a table in one line and dotted keys go too")
    func otherForms() throws {
        var file = try Self.file(
            "trade = { slippage = 1 }\nnetworks.mine.chain_id = 7\nwallet = \"a\"\n"
        )
        _ = try file.unset(["networks", "mine"])
        _ = try file.unset(["trade"])
        #expect(file.text == "wallet = \"a\"\n")
    }

    @Test("what is not set removes nothing, and what is no setting is exit 2")
    func nothing() throws {
        var file = try Self.file()
        #expect(try file.unset(["trade", "confirmations"]).isEmpty)
        #expect(file.text == Self.text)
        #expect(throws: DexError.self) { try file.unset(["trade", "slipage"]) }
        // Part of a table in one line cannot be removed safely.
        var inline = try Self.file("trade = { slippage = 1, confirmations = 2 }\n")
        #expect {
            try inline.unset(["trade", "slippage"])
        } throws: { error in
            (error as? DexError)?.code == "config-layout"
        }
        #expect(inline.values.count == 2)
    }

    @Test(
        "the words of a command line",
        arguments: [
            ("market-buy ZRX/WETH", ["market-buy", "ZRX/WETH"]), ("  a   b ", ["a", "b"]),
            ("a 'b c' \"d 'e\"", ["a", "b c", "d 'e"]), ("a'b'c ''", ["abc", ""]), ("", []),
            ("a 'b", nil), ("a\nb", nil), ("$HOME `x` \\n", ["$HOME", "`x`", "\\n"]),
        ] as [(String, [String]?)]
    )
    func words(text: String, words: [String]?) {
        #expect(CommandWords.split(text) == words)
    }

    @Test("a pair, an address and an alias are checked as they are read")
    func kinds() throws {
        let good = try Settings(
            file: Self.file(
                """
                trade.pair = "ZRX/WETH"
                [addresses]
                ledger = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F"
                [aliases]
                zb = "market-buy 'ZRX/WETH'"
                """
            )
        )
        #expect(good.addressBook.map(\.name) == ["ledger"])
        #expect(good.aliases.map(\.words) == [["market-buy", "ZRX/WETH"]])
        for bad in [
            "trade.pair = \"ZRX\"", "trade.pair = \"/WETH\"", "trade.pair = \"A/B/C\"",
            "addresses.ledger = \"0x71c7656EC7ab88b098defB751B7401B5f6d8976F\"",
            "addresses.0xab = \"0x71C7656EC7ab88b098defB751B7401B5f6d8976F\"",
            "aliases.a = \"\"", "aliases.a = \"x 'y\"", "aliases.\"a b\" = \"x\"",
        ] {
            #expect(throws: DexError.self, "\(bad)") { try Self.file(bad) }
        }
    }
}
