import DexCore
import DexSandbox
import Ethereum
import EthereumWallet
import Explorer
import SandboxHost
import Testing
import ZeroEx

@Suite("The pages of the explorer")
struct ExplorerTests {
    @Test("the first page has the newest blocks, transactions and markets")
    func home() async throws {
        let stage = try await ExplorerStage()
        let (_, hash) = try await stage.fill()
        let page = try await stage.page("/")
        #expect(page.status == .ok)
        let text = page.body.text
        #expect(text.contains("/block/1\""))
        #expect(text.contains("/tx/\(hash.hex)"))
        #expect(text.contains(">fillOrder<"))
        #expect(text.contains("<bdi>bob</bdi>"))
        #expect(text.contains("/market/ZRX-WETH?network=sandbox\""))
        #expect(text.contains("10 m ago") || text.contains("0 s ago"))
        // An earlier block than the latest has its own place in the list.
        let older = try await stage.page("/", ["to": "0"])
        #expect(older.body.text.contains("href=\"/\">Latest"))
    }

    @Test("a block by its number, hash and name; a missing one is not found")
    func blocks() async throws {
        let stage = try await ExplorerStage()
        let sent = try await stage.send(to: stage.accounts.traders[1].address, value: 7)
        let head = try await stage.client.read(.latestBlock)
        for name in ["1", "latest", head.hash.hex] {
            let page = try await stage.page("/block/\(name)")
            #expect(page.status == .ok)
            #expect(page.body.text.contains(head.hash.hex))
            #expect(page.body.text.contains(sent.hex))
            #expect(page.body.text.contains(">payment<"))
        }
        for name in ["2", "x", "-1", String(repeating: "9", count: 30), BlockHash(.zero).hex] {
            #expect(try await stage.page("/block/\(name)").status == .notFound, "\(name)")
        }
        #expect(try await stage.page("/block/1", ["from": "5"]).status == .ok)
        #expect(try await stage.page("/block/1", ["from": "-5"]).status == .ok)
    }

    @Test("a transaction with its events order by order, and its transfers")
    func transaction() async throws {
        let stage = try await ExplorerStage()
        let (order, hash) = try await stage.fill()
        let page = try await stage.page("/tx/\(hash.hex)")
        let text = page.body.text
        #expect(page.status == .ok)
        #expect(text.contains("succeeded"))
        let filled = "Filled</b> order <a class=\"mono\" href=\"/order/\(order.hash.hex)\""
        #expect(text.contains(filled))
        // Two transfers come before the exchange's own event.
        #expect(text.ranges(of: ">Transfer</b>").count == 2)
        let first = try #require(text.firstRange(of: ">Transfer</b>"))
        let fill = try #require(text.firstRange(of: "Filled</b>"))
        #expect(first.lowerBound < fill.lowerBound)
        #expect(text.contains(stage.accounts.traders[1].address.checksummed))
        #expect(text.contains("<bdi>ZRX</bdi>"))
        let unknown = TransactionHash(UInt256(1).word)
        #expect(try await stage.page("/tx/\(unknown.hex)").status == .notFound)
        #expect(try await stage.page("/tx/0x12").status == .notFound)
    }

    @Test("a transaction of type 4, its block and the account that runs other code are shown")
    func setCode() async throws {
        let stage = try await ExplorerStage()
        let bob = try #require(stage.accounts.signer(named: "bob"))
        let token = SandboxTokens.dai.address
        let signature = try bob.signature(
            over: Transaction.Authorization.signingHash(chainID: 0, delegate: token, nonce: 0)
        )
        let authorization = Transaction.Authorization(
            chainID: 0,
            delegate: token,
            nonce: 0,
            yParity: signature.yParity,
            r: UInt256(signature.r),
            s: UInt256(signature.s)
        )
        let hash = try await stage.send(
            to: bob.address,
            data: ERC20.totalSupply,
            authorizations: [authorization]
        )
        #expect(try await stage.client.read(.code(bob.address, .latest)).count == 23)
        let page = try await stage.page("/tx/\(hash.hex)")
        #expect(page.status == .ok)
        #expect(page.body.text.contains("succeeded"))
        #expect(page.body.text.contains(bob.address.checksummed))
        #expect(page.body.text.contains(" runs the code of "))
        let block = try await stage.client.read(.blockNumber)
        #expect(try await stage.page("/block/\(block)").body.text.contains(hash.hex))
        let account = try await stage.page("/address/\(bob.address.checksummed)")
        #expect(account.status == .ok)
        #expect(account.body.text.contains("account with a key, runs the code of"))
        #expect(account.body.text.contains(token.checksummed))
    }

    @Test("a reverted transaction says why")
    func reverted() async throws {
        let stage = try await ExplorerStage()
        // More than she has.
        let data = ERC20.transfer(to: stage.accounts.traders[1].address, amount: .max)
        let hash = try await stage.send(to: SandboxTokens.dai.address, data: data)
        let page = try await stage.page("/tx/\(hash.hex)")
        #expect(page.body.text.contains("badge bad\">reverted"))
        #expect(page.body.text.contains("The contract&#39;s reason: "))
    }

    @Test("an account with its balances, allowances, orders and transactions")
    func account() async throws {
        let stage = try await ExplorerStage()
        let (order, hash) = try await stage.fill()
        let bob = stage.accounts.traders[1].address
        let text = try await stage.page("/address/\(bob.lowercaseHex)").body.text
        #expect(text.contains("<bdi>bob</bdi>"))
        #expect(text.contains("unlimited"))
        #expect(text.contains(hash.hex))
        let maker = try await stage.page("/address/\(order.maker.checksummed)").body.text
        // It sent nothing: the transfers of its tokens show the fill.
        #expect(maker.contains(hash.hex))
        #expect(maker.contains("/order/\(order.hash.hex)"))
        let contract = try await stage.page("/address/\(SandboxTokens.zrx.address.checksummed)")
        #expect(contract.body.text.contains(">contract<"))
        #expect(try await stage.page("/address/0x12").status == .notFound)
    }

    @Test("an order with its state, its fills and the way to its market")
    func order() async throws {
        let stage = try await ExplorerStage()
        let (order, hash) = try await stage.fill()
        let text = try await stage.page("/order/\(order.hash.hex)").body.text
        #expect(text.contains("partly-filled"))
        #expect(text.contains(hash.hex))
        #expect(text.contains(order.maker.checksummed))
        #expect(text.contains("/market/ZRX-WETH?network=sandbox"))
        let unknown = OrderHash(UInt256(1).word)
        #expect(try await stage.page("/order/\(unknown.hex)").status == .notFound)
    }

    @Test("a market with both sides, its depth and candles as pictures, and its trades")
    func market() async throws {
        let stage = try await ExplorerStage()
        let (_, hash) = try await stage.fill()
        let text = try await stage.page("/market/ZRX-WETH").body.text
        #expect(text.ranges(of: "<svg ").count == 2)
        #expect(text.contains("Depth of ZRX/WETH"))
        #expect(text.contains("1m candles at block 1"))
        #expect(text.contains(hash.hex))
        #expect(!text.contains("style="))
        let long = try await stage.page("/market/ZRX-WETH", ["interval": "86400"]).body.text
        #expect(long.contains("1d candles"))
        let addresses =
            "\(SandboxTokens.zrx.address.checksummed)-\(SandboxTokens.weth.address.checksummed)"
        #expect(try await stage.page("/market/\(addresses)").status == .ok)
        for name in ["ZRX", "ZRX-", "ZRX-WETH-DAI", "ZRX-ZRX", "NONE-WETH", "-"] {
            #expect(try await stage.page("/market/\(name)").status == .notFound, "\(name)")
        }
        #expect(
            try await stage.page("/market/ZRX-WETH", ["network": "mainnet"]).status == .notFound
        )
    }

    @Test("a search leads to what is named")
    func search() async throws {
        let stage = try await ExplorerStage()
        let (order, hash) = try await stage.fill()
        let head = try await stage.client.read(.latestBlock)
        let bob = stage.accounts.traders[1].address
        for (text, path) in [
            ("1", "/block/1"), (" latest ", "/block/latest"), (hash.hex, "/tx/\(hash.hex)"),
            (head.hash.hex, "/block/\(head.hash.hex)"),
            (order.hash.hex, "/order/\(order.hash.hex)"),
            ("bob", "/address/\(bob.checksummed)"),
            (bob.lowercaseHex, "/address/\(bob.checksummed)"),
            ("ZRX", "/address/\(SandboxTokens.zrx.address.checksummed)"),
            ("ZRX/WETH", "/market/ZRX-WETH?network=sandbox"),
        ] {
            #expect(await stage.target("/search", ["q": text]) == path, "\(text)")
        }
        for text in ["", "nothing", "//evil.example", "http://evil.example", "<script>"] {
            let page = try await stage.page("/search", ["q": text])
            #expect(page.status == .notFound, "\(text)")
            #expect(!page.body.text.contains("<script>"))
        }
    }

    @Test("paths that are no page", arguments: ["/x", "/block", "/block/1/2", "/tx", "/../etc"])
    func paths(_ path: String) async throws {
        let stage = try await ExplorerStage()
        #expect(try await stage.page(path).status == .notFound)
    }

    @Test("a token's hostile name is shown, as text")
    func hostileName() async throws {
        let stage = try await ExplorerStage()
        let data = ERC20.transfer(to: stage.accounts.traders[1].address, amount: 5)
        let hash = try await stage.send(to: ExplorerStage.hostile, data: data)
        let text = try await stage.page("/tx/\(hash.hex)").body.text
        #expect(text.contains("&lt;/title&gt;&lt;script&gt;"))
        #expect(!text.contains("<script>"))
    }

    @Test("a relay that does not answer costs its part of a page alone")
    func withoutRelay() async throws {
        let stage = try await ExplorerStage()
        let explorer = try SandboxExplorer.explorer(
            chain: stage.client,
            relays: ["sandbox": ListedOrders(orders: [], isDown: true)],
            accounts: stage.accounts.all,
            now: { ExplorerStage.now }
        )
        let alice = stage.accounts.traders[0].address
        for path in ["/", "/address/\(alice.checksummed)"] {
            guard case .page(let page) = await explorer.answer(path: path) else { continue }
            #expect(page.status == .ok)
            #expect(page.body.text.contains("cannot be reached"))
        }
        guard case .page(let page) = await explorer.answer(path: "/market/ZRX-WETH") else { return }
        #expect(page.status == .unavailable)
    }

    @Test("an order that the relay has forgotten is known by its events")
    func forgottenOrder() async throws {
        let stage = try await ExplorerStage()
        let (order, hash) = try await stage.fill()
        let explorer = try SandboxExplorer.explorer(
            chain: stage.client,
            relays: ["sandbox": ListedOrders(orders: [])],
            accounts: [],
            now: { ExplorerStage.now }
        )
        guard case .page(let page) = await explorer.answer(path: "/order/\(order.hash.hex)") else {
            Issue.record("it leads elsewhere")
            return
        }
        #expect(page.status == .ok)
        #expect(page.body.text.contains("does not have this order any more"))
        #expect(page.body.text.contains(hash.hex))
    }
}
