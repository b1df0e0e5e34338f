import DexCore
import Ethereum
import Testing
import ZeroEx

@testable import DexSettings

@Suite("Networks of config.toml")
struct NetworkSettingsTests {
    private func settings(_ text: String) throws -> Settings {
        Settings(file: try SettingsFile(content: Array(text.utf8), path: "/home/config.toml"))
    }

    @Test("a network of one's own is of 0x v1 unless it says otherwise")
    func versions() throws {
        let table =
            "[networks.mine]\nchain_id = 7\n"
            + "exchange = \"0x12459c951127e0c374ff9105dda097662a027093\"\n"
        let plain = try settings(table).network("mine")
        #expect(plain.protocolVersion == .v1)
        #expect(plain.orderSigning == .ethSign)
        let v4 = try settings(table + "protocol = \"v4\"\n").network("mine")
        #expect(v4.protocolVersion == .v4)
        #expect(v4.orderSigning == .ethSign)
        let typed = try settings(table + "protocol = \"v4\"\nsignature = \"eip712\"\n")
            .network("mine")
        #expect(typed.orderSigning == .eip712)
    }

    @Test("a way to sign that the version does not take is told with those that it does")
    func impossibleSignature() throws {
        let settings = try settings("[networks.mainnet]\nsignature = \"eip712\"\n")
        let error = #expect(throws: DexError.self) { try settings.network("mainnet") }
        #expect(error?.exit == .configuration)
        #expect(error?.code == "bad-order-signature")
        #expect(
            error?.message
                == "The network mainnet in /home/config.toml has the signature eip712, which 0x v1 "
                + "does not take; it takes ethsign."
        )
    }

    @Test("a bundled network of 0x v4 may sign otherwise; a section of one that ended does no harm")
    func bundled() throws {
        let settings = try settings(
            "[networks.base]\nsignature = \"eip712\"\n[networks.goerli]\nblock_time = 1\n"
        )
        #expect(try settings.network("base").orderSigning == .eip712)
        let gone = #expect(throws: DexError.self) { try settings.network("goerli") }
        #expect(gone?.message == "The test network goerli is gone: its chain no longer runs.")
        #expect(gone?.code == "unknown-network" && gone?.hint?.contains("sepolia") == true)
        #expect(try settings.networks().count == NetworkCatalog.bundled().count)
    }

    @Test("what holds for a chain holds for a network of another name, and not for another chain")
    func sameChain() throws {
        let exchange = "exchange = \"0xdef1c0ded9bec7f1a1670819833240f027b25eff\"\n"
        let settings = try settings(
            "[networks.mine]\nchain_id = 137\n\(exchange)"
                + "[networks.base]\nchain_id = 56\n"
                + "[networks.new]\nchain_id = 77\nblock_time = 0.25\n\(exchange)"
                + "[networks.old]\nchain_id = 78\nblock_time = 15\nfreshness = 90\n\(exchange)"
        )
        let mine = try settings.network("mine")
        #expect(mine.coin.text == "POL" && mine.blockMilliseconds == 1_750)
        #expect(mine.freshness == 20 && mine.fees.minimumTip == Wei(25_000_000_000))
        let moved = try settings.network("base")
        #expect(moved.coin.text == "BNB" && moved.fees.rollupFee == .none)
        let new = try settings.network("new")
        #expect(new.coin == .ether && new.blockMilliseconds == 250 && new.freshness == 60)
        var unknown = FeeRules.unknown
        unknown.chain = 77
        #expect(new.fees == unknown && new.fees.rollupFee == .asked)
        let old = try settings.network("old")
        #expect(old.blockMilliseconds == 15_000 && old.freshness == 90)
    }

    @Test("a block time is a number of seconds above 0", arguments: ["0", "0.0001", "-1", "86401"])
    func badBlockTime(text: String) {
        #expect(throws: DexError.self) {
            try settings("[networks.base]\nblock_time = \(text)\n").network("base")
        }
    }

    @Test("one node suffices unless the network says how many must agree, from 1 to 9")
    func quorum() throws {
        #expect(try settings("").network("mainnet").quorum == 1)
        let text = "[networks.mainnet]\nquorum = "
        #expect(try settings("\(text)2\n").network("mainnet").quorum == 2)
        for wrong in ["0", "10", "-1", "2.0", "\"2\"", "true"] {
            let error = #expect(throws: DexError.self) { try settings("\(text)\(wrong)\n") }
            #expect(error?.code == "bad-config", "\(wrong)")
        }
    }

    @Test("the state is proven where the network says so, or where several nodes must agree")
    func proofs() throws {
        let text = "[networks.mainnet]\n"
        #expect(try !settings("").network("mainnet").provesState)
        #expect(try settings("\(text)proofs = true\n").network("mainnet").provesState)
        #expect(try settings("\(text)quorum = 2\n").network("mainnet").provesState)
        let off = try settings("\(text)quorum = 2\nproofs = false\n")
        #expect(try !off.network("mainnet").provesState)
        for wrong in ["1", "\"true\"", "\"\"", "[true]", "yes"] {
            let error = #expect(throws: DexError.self) {
                try settings("\(text)proofs = \(wrong)\n")
            }
            #expect(error?.code == "bad-config", "\(wrong)")
        }
    }

    @Test("signed transactions go to one private URL, or to the nodes; its key is in no name")
    func privateRPC() throws {
        #expect(try settings("").network("mainnet").privateRPC == nil)
        let text = "[networks.mainnet]\nprivate_rpc = "
        let network = try settings("\(text)\"https://p.example/KEY\"\n").network("mainnet")
        #expect(network.privateRPC == "https://p.example/KEY")
        #expect(network.privateName == "https://p.example")
        #expect(network.rpc == (try settings("").network("mainnet").rpc))
        for wrong in ["\"p.example\"", "\"\"", "[\"https://p.example\"]", "true"] {
            let error = #expect(throws: DexError.self) { try settings("\(text)\(wrong)\n") }
            #expect(error?.code == "bad-config", "\(wrong)")
        }
    }

    @Test("a node that is named twice is one node, whether or not its URL ends with a slash")
    func distinctNodes() throws {
        let urls = ["https://a.example/", "https://b.example/KEY", "https://a.example"]
        let list = urls.map { "\"\($0)\"" }.joined(separator: ", ")
        let network = try settings(
            "[networks.mainnet]\nrpc = [\(list), \"https://b.example/KEY2\"]\n"
        )
        .network("mainnet")
        #expect(
            network.distinctNodes
                == ["https://a.example/", "https://b.example/KEY", "https://b.example/KEY2"]
        )
        // No key is in a name.
        #expect(
            network.distinctNodeNames
                == ["https://a.example", "https://b.example", "https://b.example#2"]
        )
    }

    // MARK: Relays

    private static let relays = ["https://a.example/v0", "https://b.example/v0"]

    @Test("a relay is one URL or a list of them, in their order")
    func relays() throws {
        let one = try settings("[networks.mainnet]\nrelay = \"https://a.example/v0\"\n")
            .network("mainnet")
        #expect(one.relays == [RelayEndpoint(url: "https://a.example/v0")])
        let two = try settings(
            "[networks.mainnet]\nrelay = [\"\(Self.relays[0])\", \"\(Self.relays[1])\"]\n"
        ).network("mainnet")
        #expect(two.relays.map(\.url) == Self.relays)
        #expect(two.relays.allSatisfy { $0.feed == .usual })
        #expect(two.relayName == "https://a.example, https://b.example")
    }

    @Test("each relay has its feed, and as many feeds as relays are wanted")
    func feeds() throws {
        let table =
            "[networks.mainnet]\nrelay = [\"\(Self.relays[0])\", \"\(Self.relays[1])\"]\n"
        let both = try settings(table + "feed = [\"none\", \"wss://f.example/x\"]\n")
            .network("mainnet")
        #expect(both.relays.map(\.feed) == [.none, .at("wss://f.example/x")])
        let error = #expect(throws: DexError.self) {
            try settings(table + "feed = \"none\"\n").network("mainnet")
        }
        #expect(error?.code == "bad-feeds" && error?.exit == .configuration)
        let lonely = try settings("[networks.mainnet]\nfeed = \"none\"\n")
        #expect(throws: DexError.self) { try lonely.network("mainnet") }
    }

    @Test(
        "what is no relay, the same relay twice, and what is no feed are refused",
        arguments: [
            "relay = 7", "relay = []", "relay = \"ftp://a\"", "relay = [\"https://a\", \"x\"]",
            "relay = [\"https://a\", \"https://a\"]", "feed = \"https://a\"",
            "feed = \"wss://\"",
            "feed = [\"none\", \"maybe\"]",
        ]
    )
    func badRelays(line: String) {
        #expect(throws: DexError.self) { try settings("[networks.mainnet]\n\(line)\n") }
    }

    @Test("`dex config set` takes one relay, or several with commas or as a list")
    func relayTexts() {
        let kind = SettingKind.relays
        #expect(kind.value(of: "https://a") == .text("https://a"))
        #expect(kind.value(of: "https://a, https://b") == .list(["https://a", "https://b"]))
        #expect(
            kind.value(of: "[\"https://a\", \"https://b\"]") == .list(["https://a", "https://b"])
        )
        #expect(kind.accepts(kind.value(of: "https://a,https://b")))
        #expect(!kind.accepts(kind.value(of: "https://a,b")))
        #expect(!kind.accepts(kind.value(of: "")))
    }

    // MARK: The swap API

    @Test("a network's swap API is set, and one of its keys changed without the others")
    func swap() throws {
        let settings = try settings(
            """
            [networks.base.swap]
            api = "https://swap.example/0x"
            key_file = "zeroex.key"
            via = "book"
            [networks.optimism.swap]
            via = "swap"
            """
        )
        #expect(
            try settings.network("base").swap
                == SwapSettings(
                    api: "https://swap.example/0x",
                    keyFile: "/home/zeroex.key",
                    via: .book
                )
        )
        let optimism = try #require(try settings.network("optimism").swap)
        #expect(optimism == SwapSettings(api: "https://api.0x.org", via: .swap))
        #expect(try settings.network("fantom").swap == nil)
    }

    @Test("a network with a swap API needs no exchange, one without either is not complete")
    func swapAlone() throws {
        let table = "[networks.mine]\nchain_id = 7\n"
        let api = "[networks.mine.swap]\napi = \"https://swap.example\"\n"
        let mine = try settings(table + api).network("mine")
        #expect(!mine.hasExchange)
        #expect(mine.protocolVersion == .v4)
        #expect(mine.transferContract == nil && mine.relay == nil)
        let without = try settings(table)
        #expect(throws: without.incomplete("exchange")) { try without.network("mine") }
        let keyOnly = try settings(table + "[networks.mine.swap]\nkey_file = \"k\"\n")
        #expect(throws: keyOnly.incomplete("swap.api")) { try keyOnly.network("mine") }
    }

    @Test("the venues of the sandbox are set although its API is known only while it runs")
    func sandbox() throws {
        let settings = try settings("[networks.sandbox.swap]\nvia = \"book\"\n")
        #expect(try settings.network("sandbox").swap == SwapSettings(api: "", via: .book))
        #expect(try settings.network("sandbox").swapName == nil)
        #expect(try settings.network("sandbox-v4").swap == nil)
    }

    @Test("dex config set writes the swap's table, and keeps what is there")
    func setSwap() throws {
        var file = try settings("# mine\n[networks.base]\nblock_time = 2\n").file
        try file.set([(["networks", "base", "swap", "via"], .text("book"))])
        try file.set([(["networks", "base", "swap", "key_file"], .text("k"))])
        #expect(
            file.text
                == "# mine\n[networks.base]\nblock_time = 2\n\n[networks.base.swap]\n"
                + "via = \"book\"\nkey_file = \"k\"\n"
        )
        let network = try Settings(file: file).network("base")
        #expect(network.swap?.via == .book && network.blockMilliseconds == 2_000)
    }

    @Test(
        "a swap API's address is one where a key stays secret",
        arguments: [
            ("https://api.0x.org", true), ("HTTPS://api.0x.org/v2/", true),
            ("http://127.0.0.1:8545", true), ("http://127.1.2.3/x", true),
            ("http://localhost:1/", true), ("http://[::1]:80", true),
            ("http://api.0x.org", false), ("http://127.0.0.1.example", false),
            ("http://127.0.0.1:80@example.org", false), ("https://me:word@api.0x.org", false),
            ("https://api.0x.org?key=1", false), ("https://api.0x.org#x", false),
            ("http://127.0.0", false), ("http://127.0.0.256", false), ("http://[::2]", false),
            ("http://localhost.example", false), ("ftp://127.0.0.1", false), ("", false),
        ]
    )
    func addresses(url: String, isTaken: Bool) throws {
        #expect(WebAddress.isSafeForKeys(url) == isTaken)
        let text = "[networks.base.swap]\napi = \"\(url)\"\n"
        guard !isTaken else {
            #expect(try settings(text).network("base").swap?.api == url)
            return
        }
        let error = #expect(throws: DexError.self) { try settings(text) }
        #expect(
            error?.message
                == "/home/config.toml:2: networks.base.swap.api takes an https:// URL without "
                + "? and #, or an http:// one of this machine (127.0.0.1)."
        )
    }

    private static let venues =
        "networks.base.swap.via takes \"best\", \"book\", \"swap\" or \"pools\"."

    @Test(
        "what the swap's table does not take is refused with what would be right",
        arguments: [
            ("via = \"both\"", Self.venues), ("via = 1", Self.venues),
            ("key_file = \"\"", "networks.base.swap.key_file takes a text."),
            ("key = \"abc\"", "the key networks.base.swap.key is not known."),
        ]
    )
    func badSwap(_ line: String, _ words: String) {
        let error = #expect(throws: DexError.self) {
            try settings("[networks.base.swap]\n\(line)\n")
        }
        #expect(error?.message == "/home/config.toml:2: \(words)")
    }

    @Test("the swap of a network is a table, and no other table has one")
    func swapTable() throws {
        let text = #expect(throws: DexError.self) {
            try settings("[networks.base]\nswap = \"https://api.0x.org\"\n")
        }
        #expect(text?.message.contains("networks.base.swap is not a table") == true)
        #expect(throws: DexError.self) { try settings("[signers.base.swap]\nvia = \"book\"\n") }
        #expect(throws: DexError.self) { try settings("[networks.base.swap.x]\na = 1\n") }
        let inline = "[networks.base]\nswap = { via = \"book\" }\n"
        #expect(try settings(inline).network("base").swap?.via == .book)
    }

    @Test(
        "what is no version and no way to sign is refused with what would be right",
        arguments: [
            ("protocol = \"v3\"", "protocol takes \"v1\" or \"v4\"."),
            ("protocol = 4", "protocol takes \"v1\" or \"v4\"."),
            ("signature = \"presigned\"", "signature takes \"ethsign\" or \"eip712\"."),
        ]
    )
    func unknown(_ line: String, _ words: String) {
        let error = #expect(throws: DexError.self) { try settings("[networks.x]\n\(line)\n") }
        #expect(error?.message == "/home/config.toml:2: networks.x.\(words)")
    }
}

extension Settings {
    /// Why the network `mine` cannot be used.
    fileprivate func incomplete(_ missing: String) -> DexError {
        SettingsError.incompleteNetwork(name: "mine", path: file.path, missing: missing)
    }
}
