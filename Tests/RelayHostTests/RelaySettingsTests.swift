import DexCore
import DexRelay
import Ethereum
import Logging
import Testing
import ZeroEx

@testable import RelayHost

@Suite("The settings of a relay")
struct RelaySettingsTests {
    private static let mine = "0x1111111111111111111111111111111111111111"

    @Test("what is left out has its default")
    func defaults() throws {
        let settings = try SettingsFixture.settings(SettingsFixture.mainnet())
        #expect(settings.listen == ListenAddress("127.0.0.1:8080"))
        #expect(settings.store == .sqlite(path: "/etc/dex/relay.sqlite"))
        #expect(settings.isLocal)
        #expect(settings.drainSeconds == 0)
        #expect(settings.stopSeconds == 30)
        #expect(settings.logForm == .text)
        #expect(settings.networks.map(\.protocolVersion) == [.v4])
        #expect(settings.rpc == [SettingsFixture.node])
        let configuration = try settings.configuration(
            .v4,
            contracts: SettingsFixture.contracts(.v4)
        )
        #expect(configuration.pairs.count == 1)
        #expect(configuration.limits == RelayLimits())
        #expect(configuration.fees == .free)
        #expect(configuration.requestsPerHour == nil)
        #expect(!configuration.carriesAnyPair)
    }

    @Test("a relay that others reach waits for load balancers before it stops")
    func drain() throws {
        let text = SettingsFixture.mainnet("public = \"https://relay.example\"")
        #expect(try SettingsFixture.settings(text).drainSeconds == 5)
        #expect(try !SettingsFixture.settings(text).isLocal)
        let open = SettingsFixture.mainnet("listen = \"0.0.0.0:80\"")
        #expect(try SettingsFixture.settings(open).drainSeconds == 5)
        #expect(try !SettingsFixture.settings(open).isLocal)
    }

    @Test("every setting arrives where it belongs")
    func everything() throws {
        let settings = try SettingsFixture.settings(
            """
            listen = "[::1]:9000"
            public = "https://relay.example"
            name = "Mine"
            network = "mainnet"
            protocols = ["v4", "v1"]
            rpc = ["https://a.example/key", "http://b.example"]
            block_time = 7
            pairs = ["ZRX/WETH", "\(Self.mine)/WETH"]
            accept_orders = false
            store = "postgres://dex@db:5432/relay"
            password_file = "pg"
            trusted_proxies = ["10.0.0.0/8"]
            metrics_readers = ["10.1.0.0/16"]
            log = "json"
            log_level = "debug"
            drain_seconds = 1
            stop_seconds = 9
            [tokens.MINE]
            address = "\(Self.mine)"
            decimals = 6
            [pair."MINE/WETH"]
            base_min = 1.5
            base_max = "20"
            quote_min = "0.001"
            maker_fee = "2"
            taker_fee = "3"
            taker_share = 0.5
            [least]
            WETH = "0.01"
            [fees]
            recipient = "0x2222222222222222222222222222222222222222"
            maker_fee = "1"
            taker_share = "0.1%"
            [limits]
            orders = 10
            orders_of_maker = 2
            longest_life = 3600
            distance_from_best = "25%"
            times_owned = 0
            funds_patience = 5
            posts_per_second = 4
            post_burst = 6
            requests_per_hour = 1000
            audit_chunk = 100
            connections = 11
            connections_of_address = 3
            subscriptions = 12
            message_bytes = 1024
            unsent_bytes = 100000
            [policy]
            command = ["/bin/policy", "-x"]
            timeout = 250
            """
        )
        #expect(settings.listen.host == "::1" && settings.listen.port == 9_000)
        #expect(settings.listen.localURL(port: 9_000) == "http://[::1]:9000")
        #expect(settings.title == "Mine")
        #expect(settings.networks.map(\.protocolVersion) == [.v4, .v1])
        #expect(Set(settings.networks.map(\.chainID)) == [1])
        #expect(settings.blockTime == 7)
        #expect(settings.store == .postgres(url: "postgres://dex@db:5432/relay"))
        #expect(settings.passwordFile == "/etc/dex/pg")
        #expect(settings.metricsReaders == [try #require(AddressRange("10.1.0.0/16"))])
        #expect(settings.logForm == .json && settings.logLevel == .debug)
        #expect(settings.drainSeconds == 1 && settings.stopSeconds == 9)
        #expect(settings.policy?.command == ["/bin/policy", "-x"])
        #expect(settings.policy?.milliseconds == 250)

        let v4 = try settings.configuration(.v4, contracts: SettingsFixture.contracts(.v4))
        #expect(!v4.acceptsOrders)
        #expect(v4.requestsPerHour == 1_000)
        #expect(v4.maximumOrders == 10 && v4.maximumOrdersOfMaker == 2 && v4.auditChunk == 100)
        let limits = v4.limits
        #expect(limits.longestLife == 3_600)
        #expect(limits.maximumBasisPointsFromBest == 2_500)
        #expect(limits.maximumTimesOwned == nil)
        #expect(limits.fundsPatience == 5)
        #expect(limits.postsPerSecond == 4 && limits.postBurst == 6)
        #expect(limits.maximumConnections == 11 && limits.maximumConnectionsOfAddress == 3)
        #expect(limits.maximumSubscriptionsOfConnection == 12)
        #expect(limits.maximumMessageBytes == 1_024 && limits.maximumUnsentBytes == 100_000)
        #expect(limits.trustedProxies == [try #require(AddressRange("10.0.0.0/8"))])
        let weth = try #require(Address(ifValid: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"))
        #expect(limits.minimumAmounts == [weth: 10_000_000_000_000_000])

        let pair = try #require(v4.pairs.last)
        #expect(pair.tokenA.token == Address(ifValid: Self.mine))
        #expect(pair.tokenA.minimum == 1_500_000 && pair.tokenA.maximum == 20_000_000)
        #expect(pair.tokenB.minimum == 1_000_000_000_000_000 && pair.tokenB.maximum == nil)
        let mine = PairDirection(makerToken: weth, takerToken: pair.tokenA.token)
        #expect(v4.fees.fees(mine, takerAmount: 1_000).takerFee == 5)
        let zrx = v4.pairs[0].tokenA.token
        let other = PairDirection(makerToken: zrx, takerToken: weth)
        #expect(v4.fees.fees(other, takerAmount: 1_000).takerFee == 1)

        let v1 = try settings.configuration(
            .v1,
            contracts: SettingsFixture.contracts(.v1, feeToken: zrx)
        )
        let one: UInt256 = 1_000_000_000_000_000_000
        #expect(v1.fees.fees(other, takerAmount: 1_000).makerFee == one)
        #expect(v1.fees.fees(other, takerAmount: 1_000).takerFee == 0)
        #expect(v1.fees.fees(mine, takerAmount: 1_000).makerFee == one + one)
        #expect(v1.fees.fees(mine, takerAmount: 1_000).takerFee == one + one + one)
    }

    @Test("any pair is carried within bounds, and a token is not a pair with itself")
    func anyPair() throws {
        let text = SettingsFixture.mainnet("[least]\nWETH = \"0.5\"", pairs: "\"any\"")
        let configuration = try SettingsFixture.settings(text)
            .configuration(.v4, contracts: SettingsFixture.contracts(.v4))
        #expect(configuration.carriesAnyPair)
        #expect(configuration.pairs.isEmpty)
        #expect(configuration.limits.minimumAmounts.count == 1)
    }

    private static let contradictingTexts: [(String, String)] = [
        ("rpc = [\"http://a\"]\npairs = [\"ZRX/WETH\"]", "neither network nor chain_id is set"),
        ("network = \"nowhere\"\npairs = \"any\"", "there is no network \"nowhere\""),
        ("network = \"mainnet\"\npairs = \"any\"", "no node is known for chain 1"),
        (
            "network = \"mainnet\"\nchain_id = 2\nrpc = [\"http://a\"]\npairs = \"any\"",
            "the network mainnet is chain 1"
        ),
        ("chain_id = 99\nrpc = [\"http://a\"]\npairs = \"any\"", "no exchange is set"),
        (
            "chain_id = 99\nprotocols = [\"v1\"]\nrpc = [\"http://a\"]\npairs = \"any\"",
            "no exchange of 0x v1 is known on chain 99"
        ),
        (SettingsFixture.mainnet(pairs: "[]"), "pairs is empty"),
        (
            SettingsFixture.mainnet(pairs: "[\"ZRX/WETH\", \"WETH/ZRX\"]"), "twice"
        ),
        (SettingsFixture.mainnet(pairs: "[\"NOTATOKEN/WETH\"]"), "names no token on chain 1"),
        (
            SettingsFixture.mainnet(pairs: "[\"WETH/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"]"),
            "the same token on both sides"
        ),
        (SettingsFixture.mainnet("password_file = \"x\""), "password_file is for a store at"),
        (SettingsFixture.mainnet("[policy]\ntimeout = 50"), "a timeout and no command"),
        (
            SettingsFixture.mainnet("[tokens.MINE]\ndecimals = 6"), "tokens.MINE has no address"
        ),
        (
            SettingsFixture.mainnet(
                "[tokens.W]\naddress = \"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"\ndecimals = 6"
            ), "has 18"
        ),
        (SettingsFixture.mainnet("[pair.\"DAI/WETH\"]\nbase_min = 1"), "which is not in pairs"),
        (SettingsFixture.mainnet("[pair.\"WETH/ZRX\"]\nbase_min = 1"), "the other way round"),
    ]

    @Test(
        "settings that contradict each other or the known chains are refused",
        arguments: contradictingTexts
    )
    func contradictions(_ text: String, _ says: String) throws {
        let error = try #require(SettingsFixture.error(text))
        #expect(error.exit == .configuration)
        #expect(error.message.contains(says), "\(error.message)")
    }

    private static let faultyMarkets: [(String, String)] = [
        ("[fees]\ntaker_share = \"1\"", "there are fees and no recipient"),
        ("[pair.\"ZRX/WETH\"]\nbase_min = 5\nbase_max = 4", "base_min is above base_max"),
        (
            "[pair.\"ZRX/WETH\"]\nbase_min = 0.0000000000000000001",
            "with at most 18 digits behind the point"
        ),
        ("[least]\nWETH = 1\n0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 = 1", "twice"),
        ("[least]\n\(mine) = 1", "whose decimals are not known"),
    ]

    @Test("bounds, fees and least amounts that cannot be are refused", arguments: faultyMarkets)
    func marketFaults(_ more: String, _ says: String) throws {
        let settings = try SettingsFixture.settings(SettingsFixture.mainnet(more))
        let error = try #require(
            #expect(throws: DexError.self) {
                _ = try settings.configuration(.v4, contracts: SettingsFixture.contracts(.v4))
            }
        )
        #expect(error.exit == .configuration)
        #expect(error.message.contains(says), "\(error.message)")
    }

    @Test("a chain of one's own needs an id, a node and its exchanges")
    func ownChain() throws {
        let settings = try SettingsFixture.settings(
            """
            chain_id = 99
            rpc = ["http://a.example"]
            pairs = "any"
            [exchanges]
            v4 = "\(Self.mine)"
            """
        )
        #expect(settings.chainID == 99)
        #expect(settings.networks[0].exchange == Address(ifValid: Self.mine))
        #expect(settings.name == "chain-99")
    }

    @Test("changes are told apart: what SIGHUP takes, and what waits for a restart")
    func changes() throws {
        let old = try SettingsFixture.settings(SettingsFixture.mainnet("[limits]\norders = 5"))
        let new = try SettingsFixture.settings(
            SettingsFixture.mainnet(
                "listen = \"127.0.0.1:1\"\n[limits]\norders = 6\nconnections = 9"
            )
        )
        #expect(old.changed(in: new) == ["limits.orders"])
        #expect(old.waiting(for: new) == ["limits.connections", "listen"])
        #expect(old.changed(in: old).isEmpty && old.waiting(for: old).isEmpty)
    }

    @Test("the template for a public URL has the limits of an open relay on, any other has none")
    func publicTemplate() throws {
        let network = try #require(try NetworkCatalog.bundled().first { $0.name == "mainnet-v4" })
        func file(_ url: String?) throws -> RelaySettingsFile {
            let text = RelayTemplate.text(network: network, pair: "ZRX/WETH", publicURL: url)
            return try SettingsFixture.file(text)
        }
        let open = try file("https://relay.example/0x")
        #expect(open.text("public") == "https://relay.example/0x")
        // Else all clients would share the proxy's limits.
        #expect(open.list("trusted_proxies") == ["127.0.0.1", "::1"])
        #expect(open.integer("limits", "longest_life") == 7_776_000)
        #expect(open.text("limits", "distance_from_best") == "50%")
        #expect(open.integer("limits", "posts_per_second") == 20)
        #expect(open.integer("limits", "requests_per_hour") == 36_000)
        let own = try file(nil)
        #expect(own.text("public") == nil && own.list("trusted_proxies") == nil)
        for name in ["longest_life", "distance_from_best", "posts_per_second"] {
            #expect(own.text("limits", name) == nil && own.integer("limits", name) == nil)
        }
    }

    @Test("every key says whether SIGHUP takes it, as the template says")
    func reloadable() throws {
        let network = try #require(try NetworkCatalog.bundled().first { $0.name == "mainnet-v4" })
        let lines = RelayTemplate.text(network: network, pair: "ZRX/WETH")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for key in RelaySettingsSchema.keys where key.path.count == 1 {
            let name = key.path[0]
            let index = try #require(
                lines.firstIndex { $0.hasPrefix("\(name) = ") || $0.hasPrefix("# \(name) = ") },
                "\(name)"
            )
            let comment = lines[..<index].reversed().prefix { !$0.isEmpty }
            #expect(
                comment.contains { $0.contains("(live)") } == key.isReloadable
                    || comment.isEmpty,
                "\(name)"
            )
        }
    }
}
