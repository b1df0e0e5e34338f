import DexCore
import DexSandbox
import Ethereum
import EthereumWallet
import Explorer
import SandboxHost
import Testing
import ZeroEx

/// A sandbox's chain with its market's orders and a token with a hostile name, and its explorer.
struct ExplorerStage {
    /// Markup, writing from right to left, a terminal's command, and far too long.
    static let hostileName =
        "</title><script>alert(1)</script>\u{202E}gnp.\u{1B}[31m'\"&\u{0}"
        + String(repeating: "W", count: 3_000)
    static let hostile = Address(truncating: UInt256(0xBAD0_0000_0000_0BAD).word)
    static let start: UInt64 = 1_800_000_000
    static let now = start + 600

    let chain: SandboxChain
    let client: SandboxChain
    let accounts: SandboxAccounts
    let explorer: Explorer
    let orders: [any SignedOrder]

    init() async throws {
        let accounts = try SandboxAccounts(seed: 1)
        let markets = SandboxDeployment.all().map { venue in
            SandboxMarket(
                venue: venue,
                seed: 1,
                start: Self.start,
                orders: nil,
                accounts: accounts
            )
        }
        var genesis = Genesis.sandbox(markets, accounts: accounts, start: Self.start)
        genesis.tokens.append(
            TokenDefinition(
                address: Self.hostile,
                symbol: Self.hostileName,
                name: Self.hostileName,
                decimals: 18
            )
        )
        for trader in accounts.traders {
            genesis.balances.append(
                GenesisBalance(token: Self.hostile, owner: trader.address, amount: 1_000)
            )
        }
        chain = try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                storePath: nil,
                mining: .instant,
                now: { Self.now },
                recoverer: Secp256k1()
            )
        )
        client = chain
        self.accounts = accounts
        orders = try await markets[0].signed()
        explorer = try SandboxExplorer.explorer(
            chain: client,
            relays: ["sandbox": ListedOrders(orders: orders)],
            accounts: accounts.all,
            now: { Self.now }
        )
    }

    /// The page of a path.
    func page(_ path: String, _ query: [String: String] = [:]) async throws -> Page {
        guard case .page(let page) = await explorer.answer(path: path, query: query) else {
            throw NoPage.redirected
        }
        return page
    }

    /// Where a path leads.
    func target(_ path: String, _ query: [String: String] = [:]) async -> String? {
        guard case .redirect(let path) = await explorer.answer(path: path, query: query) else {
            return nil
        }
        return path
    }

    enum NoPage: Error {
        case redirected
        case unsigned
    }

    // MARK: Transactions

    /// Sends a transaction of a trader, which makes a block.
    @discardableResult
    func send(
        as name: String = "alice",
        to: Address,
        data: [UInt8] = [],
        value: UInt256 = 0,
        gas: UInt64 = 300_000,
        authorizations: [Transaction.Authorization] = []
    ) async throws -> TransactionHash {
        guard let signer = accounts.signer(named: name) else { throw NoPage.unsigned }
        let transaction = Transaction(
            chainID: 1337,
            nonce: try await client.read(.transactionCount(signer.address, .pending)),
            fee: .dynamic(
                maxFeePerGas: Wei(20_000_000_000),
                maxPriorityFeePerGas: Wei(1_000_000_000)
            ),
            gasLimit: gas,
            to: to,
            value: Wei(value),
            data: data,
            authorizations: authorizations
        )
        let signed = SignedTransaction(
            transaction: transaction,
            signature: try signer.signature(over: transaction.signingHash),
            sender: signer.address
        )
        return try await client.send(raw: signed.raw)
    }

    /// Bob, who has approved his tokens, fills a part of an order that sells ZRX for WETH.
    func fill() async throws -> (order: any SignedOrder, transaction: TransactionHash) {
        let deployment = SandboxDeployment(.v1)
        let order = try #require(
            orders.first { order in
                order.makerToken == SandboxTokens.zrx.address
                    && order.takerToken == SandboxTokens.weth.address && order.taker == .zero
                    && order.makerFee == .zero
            }
        )
        let call = deployment.exchangeProtocol.fillCall(
            PlannedFill(order: order, takerAmount: order.takerAmount / 4),
            mode: .skipping,
            contracts: deployment.contracts
        )
        let hash = try await send(as: "bob", to: call.to, data: call.data, gas: 500_000)
        return (order, hash)
    }
}

/// A relay that lists these orders.
struct ListedOrders: RelayClient {
    let orders: [any SignedOrder]
    /// It does not answer.
    var isDown = false

    private func answering() throws(RelayError) {
        guard !isDown else { throw .unreachable(url: "http://127.0.0.1:1", reason: "refused") }
    }

    func tokenPairs(_: Address?, _: Address?) async throws(RelayError) -> [RelayTokenPair] {
        try answering()
        return SandboxMarket.pairs
    }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        try answering()
        return RelayOrders(orders: orders.filter { query.maker.map($0.maker.is) ?? true })
    }

    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try answering()
        return orders.first { $0.hash == hash }
    }

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        try answering()
        func side(_ makerToken: Address, _ takerToken: Address) -> RelayOrders {
            RelayOrders(
                orders: orders.filter {
                    $0.makerToken == makerToken && $0.takerToken == takerToken
                }
            )
        }
        let book = RelayOrderbook(bids: side(quote, base), asks: side(base, quote))
        arrived(book.bids.orders + book.asks.orders)
        return book
    }

    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        Issue.record("a page asks for fees")
        return .none
    }

    func post(_ order: any SignedOrder) async throws(RelayError) {
        Issue.record("a page posts an order")
    }
}

extension Address {
    fileprivate func `is`(_ other: Address) -> Bool { self == other }
}
