import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("config.toml and the environment")
struct ConfigTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private static let file = """
        # my settings
        network = "mine"   # the one I use

        [trade]
        slippage = 0.5

        [networks.mine]
        chain_id = 31337        # a chain of my own
        rpc = [
            "http://127.0.0.1:1",  # first
            "http://127.0.0.1:2",
        ]
        relay = 'http://127.0.0.1:3/v0'
        exchange = "0x12459c951127e0c374ff9105dda097662a027093"

        """

    @Test("settings that hold are shown with their source; a value that refuses all is refused")
    func effective() async throws {
        let dex = try DexBinary()
        _ = try await dex.data("config set trade.slippage 0.5")
        let shown = try await dex.data("config show --all --rpc http://127.0.0.1:1")
        func setting(_ key: String) -> [String?] {
            let row = shown["settings"]?.arrayValue?.first { $0["key"]?.stringValue == key }
            return [row?["value"]?.stringValue, row?["source"]?.stringValue]
        }
        #expect(setting("trade.slippage") == ["0.5", "config.toml"])
        #expect(setting("trade.priority") == ["market", "default"])
        #expect(setting("network") == ["sandbox", "default"])
        #expect(setting("networks.sandbox.rpc").last == "--rpc")
        #expect(try await dex.run("config get trade.max_taker_fee").stdout == "10\n")
        #expect(try await dex.data("config get trade.expiry_margin")["source"] == "default")
        _ = try await dex.data("config get trade.pair", exit: 3, status: "error", code: "not-set")
        for words in ["trade.slippage 6", "trade.max_gas_cost 0"] {
            let refused = try await dex.run("config set \(words)")
            #expect(refused.status == 2, "\(words): \(refused.stdout)")
            #expect(refused.stderr.contains("was not changed"), "\(refused.stderr)")
        }
        #expect(try await dex.run("config get trade.slippage").stdout == "0.5\n")
    }

    @Test("settings are listed, read one by one, and found by path")
    func read() async throws {
        try dex.write(config: Self.file)
        #expect(try await dex.run("config path").stdout == dex.configFile.path + "\n")
        #expect(try await dex.run("config get network").stdout == "mine\n")
        #expect(try await dex.run("config get trade.slippage").stdout == "0.5\n")
        let show = try await dex.run("config show --json").json()
        #expect(show["data"]?["fileSettings"]?["networks.mine.chain_id"] == 31_337)
        #expect(show["data"]?["fileSettings"]?["networks.mine.rpc"]?.arrayValue?.count == 2)
    }

    @Test("a change keeps comments, order and everything else, and the file is the owner's only")
    func changes() async throws {
        try dex.write(config: Self.file)
        #expect(try await dex.run("network use mainnet").status == 0)
        #expect(
            try dex.config()
                == Self.file.replacing("\"mine\"   # the one", with: "\"mainnet\"   # the one")
        )
        #expect(
            try await dex.run("config set networks.mine.rpc http://a,https://b").status
                == 0
        )
        #expect(try dex.config().contains("rpc = [\"http://a\", \"https://b\"]\nrelay"))
        #expect(try await dex.run("config set networks.mine.block_time 3").status == 0)
        #expect(try await dex.run("config set trade.max_gas_cost 0.05").status == 0)
        let text = try dex.config()
        #expect(text.contains("chain_id = 31337        # a chain of my own"))
        #expect(text.contains("slippage = 0.5\nmax_gas_cost = \"0.05\"\n"))
        #expect(text.hasSuffix("block_time = 3\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: dex.configFile.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a network without node or relay becomes the default with a warning that names them")
    func incompleteNetwork() async throws {
        let run = try await dex.run("network use fantom --json")
        #expect(run.status == 0)
        let warnings = try #require(
            try run.json()["warnings"]?.arrayValue?.compactMap(\.stringValue)
        )
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("has no node") == true)
        #expect(warnings.first?.contains("networks.fantom.rpc URL") == true)
        #expect(warnings.last?.contains("has no relay") == true)
        let all = warnings.map { $0.contains("All at once: dex init --network fantom") }
        #expect(all == [false, true], "one command for both is named once")
        // Pools and the swap API trade without a relay.
        let swap = try await dex.run("network use base --json").json()["warnings"]
        #expect(swap?.arrayValue?.count == 1)
        let sandbox = try await dex.run("network use sandbox")
        #expect(sandbox.stderr.contains("dex sandbox up"), "\(sandbox.stderr)")
        try dex.write(config: Self.file)
        #expect(try await dex.run("network use mine").stderr.isEmpty)
    }

    @Test("a list is taken as config.toml has it, and with commas")
    func lists() async throws {
        let list = #"["http://a/x,y", "https://b"]"#
        #expect(try await dex.run(["config", "set", "networks.mainnet.rpc", list]).status == 0)
        #expect(try dex.config().contains("rpc = \(list)\n"))
        let command = #"["/bin/echo", "a, b"]"#
        #expect(try await dex.run(["config", "set", "watch.command", command]).status == 0)
        #expect(try dex.config().contains("command = \(command)\n"))
        let bad = try await dex.run(["config", "set", "networks.mainnet.rpc", "[1, 2]"])
        #expect(bad.status == 2, "\(bad.stderr)")
    }

    @Test("a first setting makes the file")
    func firstSetting() async throws {
        #expect(try await dex.run("config set trade.slippage 2").status == 0)
        #expect(try await dex.run("network use mainnet").status == 0)
        #expect(try dex.config() == "network = \"mainnet\"\n\n[trade]\nslippage = \"2\"\n")
    }

    @Test("a network is added with its URLs, listed and used")
    func addNetwork() async throws {
        let add = try await dex.run(
            "network add private --chain-id 7 --exchange",
            "0x12459c951127e0c374ff9105dda097662a027093 --rpc http://127.0.0.1:1 --rpc",
            "http://127.0.0.1:2 --relay http://127.0.0.1:3/v0"
        )
        #expect(add.status == 0, "\(add.stderr)")
        #expect(add.stderr.contains("It was not looked at, since no node answered."))
        let again = try await dex.run(
            "network add private --chain-id 7 --exchange",
            "0x12459c951127e0c374ff9105dda097662a027093"
        )
        #expect(again.status == 2)
        #expect(try await dex.run("network use private").status == 0)
        let list = try await dex.run("network list --json").json()
        let networks = try #require(list["data"]?["networks"]?.arrayValue)
        let added = try #require(networks.first { $0["name"] == "private" })
        #expect(added["chainId"] == 7)
        #expect(added["rpc"]?.arrayValue?.count == 2)
        #expect(added["isDefault"] == true)
    }

    @Test("a network that is added is looked at on its node, and one that is not so is not added")
    func lookAtNetwork() async throws {
        try await dex.withSandbox { sandbox in
            func add(
                _ name: String,
                chain: String = "1337",
                exchange: String = "0x12459c951127e0c374ff9105dda097662a027093"
            ) async throws -> DexBinary.Run {
                try await dex.run(
                    "network add \(name) --chain-id \(chain) --exchange \(exchange) --rpc",
                    "\(sandbox.rpc) --json"
                )
            }
            let good = try await add("mine")
            #expect(good.status == 0, "\(good.stderr)")
            let found = try #require(try good.json()["data"]?["findings"])
            #expect(found["version"] == "1.0.0")
            #expect(
                found["transferContract"] == "0x8da0D80f5007ef1e431DD2127178d224E32C2eF4"
            )
            #expect(found["feeToken"] == "0xE41d2489571d322189246DaFA5ebDe1F4699F498")
            #expect(found["protocolFeeMultiplier"] == 0)
            let elsewhere = try await add("other", chain: "1")
            #expect(elsewhere.status == 3)
            #expect(try elsewhere.json()["error"]?["code"] == "wrong-chain")
            let nothing = try await add(
                "nothing",
                exchange: "0x00000000000000000000000000000000000000e1"
            )
            #expect(nothing.status == 3)
            #expect(try nothing.json()["error"]?["code"] == "not-an-exchange")
            let names = try #require(
                try await dex.run("network list --json").json()["data"]?["networks"]?
                    .arrayValue
            ).map { $0["name"] }
            #expect(names.contains("mine"))
            #expect(!names.contains("other") && !names.contains("nothing"))
            let screen = try await dex.run(
                "network add screen --chain-id 1337 --exchange",
                "0x12459c951127e0c374ff9105dda097662a027093 --rpc \(sandbox.rpc)"
            )
            let words = screen.stdout.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("trades (0x v1, version \"1.0.0\")"), "\(screen.stdout)")
            #expect(
                screen.stdout.contains("in the token 0xE41d2489571d322189246DaFA5ebDe1F4699F498")
            )
        }
    }

    @Test(
        "a wrong file exits 3 and names file, line and key",
        arguments: [
            ("network = \"mainnet\"\ncolour = \"red\"\n", ":2: the key colour is not known"),
            ("[networks.x]\nchain_id = 1\nrcp = []\n", ":3: the key networks.x.rcp is not known"),
            ("[networks.x]\n\nchain_id = \"one\"\n", ":3: networks.x.chain_id takes"),
            ("[networks.x]\nrelay = \"ftp://x\"\n", ":2: networks.x.relay takes"),
            ("[networks.x]\nexchange = \"0x12\"\n", ":2: networks.x.exchange takes"),
            ("[trade]\nslippage = 0.005\n", ":2: trade.slippage takes"),
            ("[trade]\nslippage = -1\n", ":2: trade.slippage takes"),
            ("network = \n", ":1: "),
            ("network = 5\n", ":1: network takes"),
            ("networks = 5\n", ":1: networks is not a table"),
            ("network = \"a\u{0}b\"\n", "zero byte"),
        ]
    )
    func wrongFile(config: String, message: String) async throws {
        try dex.write(config: config)
        let run = try await dex.run("config show")
        #expect(run.status == 3)
        #expect(run.stdout.isEmpty)
        #expect(run.stderr.contains(message), "\(run.stderr)")
        #expect(run.stderr.contains(dex.configFile.path))
    }

    @Test("values that a key does not take exit 2 and change nothing")
    func wrongValues() async throws {
        try dex.write(config: Self.file)
        for arguments in [
            ["network", "no-such-network"], ["networks.mine.rpc", "not a url"],
            ["networks.mine.chain_id", "-1"], ["no.such.key", "1"], ["trade.slippage", "101"],
            ["networks.mine.weth", "0xC02AAA39b223fe8d0a0e5c4f27ead9083c756cc2"],
        ] {
            let run = try await dex.run(["config", "set"] + arguments)
            #expect(run.status == 2 || run.status == 3, "\(arguments) \(run.stderr)")
        }
        #expect(try dex.config() == Self.file)
    }

    @Test("a layout that cannot be changed safely is refused and left alone")
    func refusedLayout() async throws {
        let config = "networks = { mine = { chain_id = 5 } }\n"
        try dex.write(config: config)
        let run = try await dex.run("config set networks.mine.block_time 3")
        #expect(run.status == 3)
        #expect(run.stderr.contains("by hand"))
        #expect(try dex.config() == config)
    }

    @Test("a flag beats the environment, the environment beats the file")
    func precedence() async throws {
        try dex.write(config: Self.file)
        func current(_ arguments: [String], _ environment: [String: String]) async throws -> String?
        {
            let run = try await dex.run(
                ["network", "list", "--json"] + arguments,
                environment: environment
            )
            let networks = try run.json()["data"]?["networks"]?.arrayValue ?? []
            return networks.first { $0["isDefault"] == true }?["name"]?.stringValue
        }
        #expect(try await current([], [:]) == "mine")
        #expect(try await current([], ["DEX_NETWORK": "polygon"]) == "polygon")
        let environment = ["DEX_NETWORK": "polygon"]
        #expect(try await current(["--network", "mainnet"], environment) == "mainnet")
    }

    @Test("an unknown network exits 3 and says which there are")
    func unknownNetwork() async throws {
        let run = try await dex.run("pairs --network atlantis")
        #expect(run.status == 3)
        #expect(run.stderr.contains("mainnet"))
        #expect(run.stderr.contains("dex network add atlantis"))
    }
}
