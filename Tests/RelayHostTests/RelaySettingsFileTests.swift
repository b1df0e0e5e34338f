import DexCore
import Testing

@testable import RelayHost

@Suite("relay.toml, read strictly")
struct RelaySettingsFileTests {
    /// Texts with what is wrong, the line and what would be right.
    private static let faultyTexts: [(text: String, says: [String])] = [
        ("network = 5", [":1:", "network takes the name of a network"]),
        ("\nlisten = \"localhost:80\"", [":2:", "listen takes an IP address and a port"]),
        ("listen = \"127.0.0.1\"", ["listen takes"]),
        ("listen = \"::1:80\"", ["listen takes"]),
        ("listen = \"127.0.0.1:99999\"", ["listen takes"]),
        ("listen = \"10.0.0.0/8:80\"", ["listen takes"]),
        ("public = \"relay.example\"", ["public takes an http:// or https:// URL"]),
        ("name = \"\"", ["name takes a text of 1 to 60 printable characters"]),
        ("name = \"a\\u001b[31mb\"", ["name takes a text"]),
        ("chain_id = 0", ["chain_id takes a whole number from 1"]),
        ("chain_id = -1", ["chain_id takes"]),
        ("chain_id = \"1\"", ["chain_id takes"]),
        ("rpc = []", ["rpc takes a list"]),
        ("rpc = \"http://a\"", ["rpc takes a list"]),
        ("rpc = [\"ftp://a\"]", ["rpc takes a list"]),
        ("rpc = [1]", ["rpc takes a list"]),
        ("block_time = 3601", ["block_time takes a whole number from 0 to 3600"]),
        ("protocols = [\"v2\"]", ["protocols takes a list of \"v1\", \"v4\""]),
        ("protocols = [\"v4\", \"v4\"]", ["protocols takes"]),
        ("protocols = []", ["protocols takes"]),
        ("pairs = \"all\"", ["pairs takes \"any\", or a list of pairs"]),
        ("pairs = [\"ZRX\"]", ["pairs takes"]),
        ("pairs = [\"ZRX/\"]", ["pairs takes"]),
        ("pairs = [\"ZRX/ZRX\"]", ["pairs takes"]),
        ("accept_orders = \"yes\"", ["accept_orders takes true or false"]),
        ("store = \"relay.sqlite\"", ["store takes \"sqlite:PATH\""]),
        ("store = \"sqlite:\"", ["store takes"]),
        ("store = \"postgres://dex:secret@host/db\"", ["without a password"]),
        ("store = \"postgres://host/db?password=secret\"", ["without a password"]),
        ("password_file = \"\"", ["password_file takes the path of a file"]),
        ("trusted_proxies = [\"10.0.0.0/33\"]", ["trusted_proxies takes a list of IP addresses"]),
        ("metrics_readers = [\"here\"]", ["metrics_readers takes a list of IP addresses"]),
        ("log = \"xml\"", ["log takes \"text\" or \"json\""]),
        ("log_level = \"loud\"", ["log_level takes \"error\" or \"warning\""]),
        ("drain_seconds = 301", ["drain_seconds takes a whole number from 0 to 300"]),
        ("stop_seconds = 0", ["stop_seconds takes a whole number from 1 to 600"]),
        ("exchanges = 1", ["exchanges is not a table: [exchanges] is expected"]),
        ("[exchanges]\nv2 = \"0x\"", [":2:", "the key exchanges.v2 is not known"]),
        ("[exchanges]\nv4 = \"0x12\"", ["exchanges.v4 takes an address"]),
        ("[tokens]\nZRX = 1", ["tokens.ZRX is not a table"]),
        ("[tokens.A]\ndecimals = 78", ["tokens.A.decimals takes a whole number from 0 to 77"]),
        ("[pair.\"ZRX/WETH\"]\nbase_min = -1", ["base_min takes an amount"]),
        ("[pair.\"ZRX/WETH\"]\nbase_min = \"1e3\"", ["base_min takes an amount"]),
        ("[pair.\"ZRX/WETH\"]\nfee = 1", ["is not known"]),
        ("[least]\nWETH = \"x\"", ["least.WETH takes an amount"]),
        ("[fees]\ntaker_share = \"101\"", ["fees.taker_share takes a percentage from 0 to 100"]),
        ("[fees]\ntaker_share = \"0.00001\"", ["at most four decimals"]),
        ("[limits]\norders = 0", ["limits.orders takes a whole number from 1"]),
        ("[limits]\norders = 99999999", ["limits.orders takes"]),
        ("[limits]\nlongest_life = 59", ["limits.longest_life takes a whole number from 60"]),
        ("[limits]\nmessage_bytes = 1", ["limits.message_bytes takes"]),
        ("[limits]\ndistance_from_best = \"near\"", ["distance_from_best takes a percentage"]),
        ("[limits]\norder = 1", [":2:", "the key limits.order is not known"]),
        ("[policy]\ncommand = \"/bin/true\"", ["policy.command takes a program"]),
        ("[policy]\ncommand = [\"true\"]", ["by its path from /"]),
        ("[policy]\ncommand = []", ["policy.command takes"]),
        ("[policy]\ntimeout = 9", ["policy.timeout takes a whole number from 10"]),
        (
            "nonsense = 1",
            ["the key nonsense is not known", "The keys are listen"].prefix(1).map { $0 }
        ),
        ("listen = ", [":1:"]),
        ("[a", [":1:"]),
        ("a = [}", [":1:"]),
        ("network = \"a\"\nnetwork = \"b\"", [":2:"]),
    ]

    @Test("every fault is named with its line and what would be right", arguments: faultyTexts)
    func faults(_ text: String, _ says: [String]) throws {
        let error = #expect(throws: DexError.self) { _ = try SettingsFixture.file(text) }
        let shown = try #require(error)
        #expect(shown.exit == .configuration)
        #expect(shown.message.hasPrefix("/etc/dex/relay.toml"), "\(shown.message)")
        for part in says { #expect(shown.message.contains(part), "\(shown.message)") }
        #expect(!shown.message.contains("secret"), "a password is not printed")
    }

    @Test("an unknown key lists the keys of its table")
    func hint() throws {
        let error = try #require(
            #expect(throws: DexError.self) { _ = try SettingsFixture.file("[limits]\nx = 1") }
        )
        #expect(error.hint?.contains("limits.orders_of_maker") == true)
        #expect(error.hint?.contains("fees.recipient") == false)
    }

    @Test("UTF-16, a zero byte and what is not UTF-8 are refused by name")
    func bytes() throws {
        for (bytes, words) in [
            ([0xFF, 0xFE, 0x6C, 0x00], "it is UTF-16, and text in UTF-8 is expected"),
            (Array("listen = \"\0\"".utf8), "it has a zero byte, so it is UTF-16 or no text"),
            ([0xC3, 0x28], "it is not UTF-8 text"),
        ] as [([UInt8], String)] {
            let error = try #require(
                #expect(throws: DexError.self) {
                    _ = try RelaySettingsFile(content: bytes, path: "/x")
                }
            )
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test("the template has every key, and reads as it is and with every comment taken away")
    func template() throws {
        for network in try NetworkCatalog.bundled() where network.hasExchange {
            var network = network
            network.rpc = []
            let text = RelayTemplate.text(network: network, pair: "ZRX/WETH")
            _ = try SettingsFixture.file(text)
            for key in RelaySettingsSchema.keys {
                let name = try #require(key.path.last)
                let last = name == "*" ? "WETH" : name
                #expect(
                    text.contains("\n\(last) = ") || text.contains("\n# \(last) = "),
                    "\(key.name)"
                )
            }
            // Each commented setting is what the key takes.
            let bare = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.wholeMatch(of: #/# (\[[^\]]*\]|[a-zA-Z_0-9]+ = .*)/#).map {
                    String($0.output.1)
                }
                    ?? String(line)
            }
            var seen: Set<String> = []
            let once = bare.filter { line in
                guard let match = line.prefixMatch(of: #/store = /#) else { return true }
                return seen.insert(String(match.output)).inserted
            }
            let file = try SettingsFixture.file(once.joined(separator: "\n"))
            #expect(file.values.count >= RelaySettingsSchema.keys.count - 1)
        }
    }

    @Test("a value is changed in its place, and comments stay")
    func change() throws {
        var file = try SettingsFixture.file(
            """
            # mine
            pairs = ["ZRX/WETH"] # these

            [tokens.OLD]
            # why
            address = "0x1111111111111111111111111111111111111111"
            decimals = 6

            [limits]
            orders = 5 # few
            """
        )
        try file.change(
            set: [
                (["pairs"], .list(["A/B", "C/D"])), (["tokens", "NEW", "decimals"], .integer(8)),
            ],
            remove: [["tokens", "OLD"]]
        )
        #expect(
            file.text == """
                # mine
                pairs = ["A/B", "C/D"] # these

                [limits]
                orders = 5 # few

                [tokens.NEW]
                decimals = 8

                """
        )
        #expect(file.list("pairs") == ["A/B", "C/D"])
        #expect(file.names(in: "tokens") == ["NEW"])
    }

    @Test("a list with a comment inside is left alone, since the comment would be lost")
    func layout() throws {
        let text = "pairs = [\n  \"ZRX/WETH\", # the first\n  \"A/#B\",\n]\n"
        var file = try SettingsFixture.file(text)
        let error = try #require(
            #expect(throws: DexError.self) {
                try file.change(set: [(["pairs"], .list(["A/B"]))])
            }
        )
        #expect(error.code == "relay-settings-layout")
        #expect(file.text == text)
        var other = try SettingsFixture.file("pairs = [\n  \"A/#B\",\n]\n")
        try other.change(set: [(["pairs"], .list(["A/B"]))])
        #expect(other.text == "pairs = [\"A/B\"]\n")
    }
}
