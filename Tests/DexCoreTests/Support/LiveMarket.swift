import DexCore
import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import FoundationEssentials
import GRDB
import Testing
import ZeroEx

/// A trader on a simulated chain in this process, behind a node that tests tamper with; the relay
/// is scripted.
///
/// Nothing here waits for real time.
struct LiveMarket: Sendable {
    static let usdt = TestMarket.address("0xdac17f958d2ee523a2206206994597c13d831ec7")
    /// An upgradeable token whose queries are too dear for the variants that skip orders.
    static let heavy = TestMarket.address("0x1111111111111111111111111111111111111111")

    /// A token whose own code costs too much, whatever was announced.
    static let stubborn = TestMarket.address("0x2222222222222222222222222222222222222222")

    /// What the trader begins with, in units of 18 decimals; allowances in base units.
    struct Holdings {
        var ether = "10"
        var weth = "100"
        var zrx = "10000"
        var usdt = "10000"
        var heavy = "10000"
        var allowances: [Address: UInt256] = [:]
        /// For tokens that are not in `allowances`.
        var allowance = UInt256.max
        /// The chain has the swap venue's contracts, Permit2 among them.
        var hasPermit2 = false
        /// The chain has Uniswap's pools, and the session no relay.
        var pools: GenesisUniswap?
    }

    let chain: SandboxChain
    let node: TamperedNode
    let relay = FakeRelay()
    let clock = TestClock()
    let journal: Journal
    var network: Network
    let exchangeProtocol: any ExchangeProtocol
    let protocolFeeMultiplier: UInt32
    let audit = MemoryAuditLog()
    let trader: PrivateKeySigner
    /// Somebody else who trades.
    let rival: PrivateKeySigner
    let makers: [PrivateKeySigner]

    init(
        _ holdings: Holdings = Holdings(),
        mining: ChainConfiguration.Mining = .instant,
        blockGasLimit: UInt64 = 36_000_000,
        version: ProtocolVersion = .v1,
        protocolFeeMultiplier: UInt32 = 0,
        start: UInt64 = TestMarket.now
    ) throws {
        var network = try TestMarket().network
        network.protocolVersion = version
        network.blockMilliseconds = 12_000
        if version == .v4 { network.exchange = Genesis.localExchangeProxy }
        network.pools = holdings.pools?.deployment
        self.network = network
        exchangeProtocol = Protocols.implementation(of: network)
        self.protocolFeeMultiplier = protocolFeeMultiplier
        trader = try TestMarket.signer(1)
        makers = try (2...6).map(TestMarket.signer)
        rival = try TestMarket.signer(7)
        chain = try SandboxChain(
            genesis: Self.genesis(
                holdings,
                trader: trader.address,
                others: makers.map(\.address) + [rival.address],
                spender: Self.spender(version),
                blockGasLimit: blockGasLimit,
                protocolFeeMultiplier: protocolFeeMultiplier,
                start: start
            ),
            configuration: ChainConfiguration(
                mining: mining,
                now: clock.environment.now,
                recoverer: Secp256k1()
            )
        )
        node = TamperedNode(chain)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-core-tests-\(UUID().uuidString)")
        journal = Journal(path: folder.appending(path: "journal.sqlite").path)
        setBook()
    }

    private static func spender(_ version: ProtocolVersion) -> Address {
        version == .v1 ? TestMarket.proxy : Genesis.localExchangeProxy
    }

    /// The contracts of the network's exchange.
    var exchangeContracts: ExchangeContracts {
        ExchangeContracts(
            exchange: network.exchange,
            transferContract: Self.spender(network.protocolVersion),
            feeToken: network.protocolVersion == .v1 ? TestMarket.zrx : nil,
            protocolFeeMultiplier: protocolFeeMultiplier
        )
    }

    private static let tokens: [TokenDefinition] = [
        TokenDefinition(
            address: TestMarket.zrx,
            symbol: "ZRX",
            name: "0x",
            decimals: 18,
            kind: .zrx
        ),
        TokenDefinition(
            address: TestMarket.weth,
            symbol: "WETH",
            name: "Wrapped",
            decimals: 18,
            kind: .weth
        ),
        TokenDefinition(
            address: TestMarket.usdc,
            symbol: "USDC",
            name: "USD Coin",
            decimals: 6
        ),
        TokenDefinition(
            address: usdt,
            symbol: "USDT",
            name: "Tether",
            decimals: 18,
            kind: .usdt
        ),
        TokenDefinition(
            address: heavy,
            symbol: "HEAVY",
            name: "Heavy",
            decimals: 18,
            kind: .heavy
        ),
        TokenDefinition(
            address: stubborn,
            symbol: "STUBBORN",
            name: "Stubborn",
            decimals: 18,
            kind: .upgradeable,
            implementation: slow
        ),
    ]

    private static let slow = TestMarket.address("0x2222222222222222222222222222222222222223")
    /// Counts to 200, which takes 5,200 gas, and delegates to a plain token.
    private static let slowCode =
        (Hex.bytes("0x60c85b600190038060025750365f5f375f5f365f73") ?? [])
        + TestMarket.usdc.bytes + (Hex.bytes("0x5af43d5f5f3e6035573d5ffd5b3d5ff3") ?? [])

    private static func genesis(
        _ holdings: Holdings,
        trader: Address,
        others: [Address],
        spender: Address,
        blockGasLimit: UInt64,
        protocolFeeMultiplier: UInt32,
        start: UInt64
    ) -> Genesis {
        let own = [
            TestMarket.weth: holdings.weth, TestMarket.zrx: holdings.zrx, usdt: holdings.usdt,
            heavy: holdings.heavy,
        ]
        var balances: [GenesisBalance] = []
        var allowances: [GenesisAllowance] = []
        allowances += PoolScene.allowances(of: [trader] + others, holdings.pools)
        for token in tokens.map(\.address) where token != TestMarket.usdc {
            let amount = TestMarket.units(own[token] ?? "0")
            balances.append(GenesisBalance(token: token, owner: trader, amount: amount))
            allowances.append(
                GenesisAllowance(
                    token: token,
                    owner: trader,
                    spender: spender,
                    amount: holdings.allowances[token] ?? holdings.allowance
                )
            )
            for owner in others {
                balances.append(
                    GenesisBalance(
                        token: token,
                        owner: owner,
                        amount: TestMarket.units("100000")
                    )
                )
                allowances.append(
                    GenesisAllowance(token: token, owner: owner, spender: spender)
                )
            }
        }
        var genesis = Genesis(
            timestamp: start,
            exchange: TestMarket.exchange,
            transferProxy: TestMarket.proxy,
            feeToken: TestMarket.zrx,
            protocolFeeMultiplier: protocolFeeMultiplier,
            accounts: [
                GenesisAccount(address: trader, ether: Wei(TestMarket.units(holdings.ether)))
            ] + others.map { GenesisAccount(address: $0, ether: Wei(TestMarket.units("100"))) },
            tokens: tokens,
            balances: balances,
            allowances: allowances,
            swap: holdings.hasPermit2 ? GenesisSwap(wrapped: TestMarket.weth) : nil,
            uniswap: holdings.pools,
            contracts: [GenesisContract(address: slow, code: slowCode)]
        )
        genesis.blockGasLimit = blockGasLimit
        return genesis
    }

    // MARK: Sessions and models

    /// - Parameter environment: nil is the clock's.
    func session(
        isSandbox: Bool = true,
        environment: Environment? = nil
    ) throws -> Session {
        var network = network
        network.isSandbox = isSandbox
        let environment = environment ?? clock.environment
        let tokens = try TokenMap(chainID: 1337)
        return Session(
            network: network,
            exchangeProtocol: exchangeProtocol,
            chain: node,
            relay: network.pools == nil ? relay : nil,
            venues: [PoolVenue(network, chain: node, tokens: tokens, now: environment.now)]
                .compactMap(\.self),
            tokens: tokens,
            recoverer: Secp256k1(),
            environment: environment
        )
    }

    func model(
        isSandbox: Bool = true,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> MarketOrderModel {
        var settings = TradeSettings()
        change(&settings)
        return MarketOrderModel(
            session: try session(isSandbox: isSandbox),
            journal: journal,
            settings: settings
        )
    }

    func plan(
        _ side: TradeSide,
        _ amount: String,
        pair: String = "ZRX/WETH",
        limit: String? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<TradePlan> {
        try await model(change).plan(
            MarketRequest(side: side, pair: pair, amount: amount, limitPrice: limit),
            account: trader.address
        )
    }

    /// The trader's, without any rule; all of them have one log.
    var signer: AuthorizedSigner {
        authorized(LocalKey(trader))
    }

    func authorized(
        _ key: any KeyHolder,
        policy: Policy = Policy(source: "policy.toml", coin: .ether),
        log: (any AuditLog)? = nil,
        origin: PlanOrigin? = nil
    ) -> AuthorizedSigner {
        AuthorizedSigner(
            key: key,
            scope: SigningScope(
                network: "sandbox",
                chainID: 1337,
                exchangeProtocol: exchangeProtocol,
                exchange: network.exchange,
                weth: TestMarket.weth,
                feeToken: exchangeContracts.feeToken,
                transferContracts: [exchangeContracts.transferContract],
                pools: network.pools
            ),
            policy: policy,
            log: log ?? audit,
            recoverer: Secp256k1(),
            origin: origin,
            now: clock.environment.now
        )
    }

    /// Plans and does it.
    func trade(
        _ side: TradeSide,
        _ amount: String,
        pair: String = "ZRX/WETH",
        limit: String? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TradeOutcome {
        let plan = try await plan(side, amount, pair: pair, limit: limit, change)
        return try await model(change).execute(plan, signer: signer)
    }

    /// The journal's transactions of the trader, the oldest first.
    func journaled() throws -> [JournalTransaction] {
        try journal.transactions(chainID: 1337, sender: trader.address, limit: 100).reversed()
    }

    // MARK: Orders

    func order(
        by maker: PrivateKeySigner,
        give: (Address, String),
        get: (Address, String),
        taker: Address = .zero,
        fees: OrderFees = .none,
        expiresIn seconds: UInt64 = 86_400,
        salt: UInt256 = 1
    ) async throws -> any SignedOrder {
        let draft = OrderDraft(
            exchange: network.exchange,
            maker: maker.address,
            taker: taker,
            makerToken: give.0,
            takerToken: get.0,
            makerAmount: TestMarket.units(give.1),
            takerAmount: TestMarket.units(get.1),
            expiry: UInt256(TestMarket.now + seconds),
            salt: salt,
            fees: fees
        )
        return try await exchangeProtocol.sign(draft, with: maker)
    }

    /// Sells ZRX for WETH: the maker's number, amount, total.
    func ask(
        _ maker: Int,
        _ zrx: String,
        for weth: String,
        fees: OrderFees = .none,
        expiresIn seconds: UInt64 = 86_400
    ) async throws -> any SignedOrder {
        try await order(
            by: makers[maker],
            give: (TestMarket.zrx, zrx),
            get: (TestMarket.weth, weth),
            fees: fees,
            expiresIn: seconds
        )
    }

    func bid(
        _ maker: Int,
        _ zrx: String,
        for weth: String,
        fees: OrderFees = .none
    ) async throws -> any SignedOrder {
        try await order(
            by: makers[maker],
            give: (TestMarket.weth, weth),
            get: (TestMarket.zrx, zrx),
            fees: fees
        )
    }

    func setBook(bids: [any SignedOrder] = [], asks: [any SignedOrder] = []) {
        let book = RelayOrderbook(
            bids: RelayOrders(orders: bids),
            asks: RelayOrders(orders: asks)
        )
        relay.set { $0.book = .success(book) }
    }

    /// A second book of the relay: of ZRX against WETH or so, which tells what fees are worth.
    func setFeeBook(
        against token: Address = TestMarket.weth,
        bids: [any SignedOrder] = [],
        asks: [any SignedOrder] = []
    ) {
        let book = RelayOrderbook(
            bids: RelayOrders(orders: bids),
            asks: RelayOrders(orders: asks)
        )
        relay.set { $0.books[[TestMarket.zrx, token]] = .success(book) }
    }

    // MARK: What others do

    /// Sends a transaction of somebody, straight to the chain.
    @discardableResult
    func send(
        from signer: PrivateKeySigner,
        to: Address?,
        _ data: [UInt8],
        tip: UInt64 = 5_000_000_000,
        nonce: UInt64? = nil
    ) async throws -> TransactionHash {
        let next = try await chain.read(.transactionCount(signer.address, .pending))
        let transaction = Transaction(
            chainID: 1337,
            nonce: nonce ?? next,
            fee: .dynamic(
                maxFeePerGas: Wei(UInt256(tip + 50_000_000_000)),
                maxPriorityFeePerGas: Wei(UInt256(tip))
            ),
            gasLimit: 400_000,
            to: to,
            data: data
        )
        return try await chain.send(raw: signer.sign(transaction, chainID: 1337).raw)
    }

    /// Somebody pays ether, straight to the chain.
    func pay(_ ether: String, from payer: PrivateKeySigner, to account: Address) async throws {
        let transaction = Transaction(
            chainID: 1337,
            nonce: try await chain.read(.transactionCount(payer.address, .pending)),
            fee: .dynamic(
                maxFeePerGas: Wei(60_000_000_000),
                maxPriorityFeePerGas: Wei(5_000_000_000)
            ),
            gasLimit: 21_000,
            to: account,
            value: Wei(TestMarket.units(ether)),
            data: []
        )
        _ = try await chain.send(raw: payer.sign(transaction, chainID: 1337).raw)
    }

    /// Changes the journal as another program might.
    func damage(_ sql: String) throws {
        try DatabaseQueue(path: journal.path).write { try $0.execute(sql: sql) }
    }

    /// The rival takes an order, wholly or by so much taker token.
    func take(_ order: any SignedOrder, _ amount: UInt256? = nil) async throws {
        let call = exchangeProtocol.fillCall(
            PlannedFill(order: order, takerAmount: amount ?? order.takerAmount),
            mode: .skipping,
            contracts: exchangeContracts
        )
        try await send(from: rival, to: call.to, call.data)
    }

    /// A maker moves a token away, so that its orders are no longer funded.
    func drain(_ maker: PrivateKeySigner, _ token: Address) async throws {
        let balance = try await balance(token, of: maker.address)
        try await send(
            from: maker,
            to: token,
            ERC20.transfer(to: rival.address, amount: balance)
        )
    }

    func balance(_ token: Address, of owner: Address) async throws -> UInt256 {
        try await word(CallRequest(to: token, data: ERC20.balanceOf(owner)))
    }

    func allowance(_ token: Address) async throws -> UInt256 {
        try await word(
            CallRequest(
                to: token,
                data: ERC20.allowance(
                    owner: trader.address,
                    spender: exchangeContracts.transferContract
                )
            )
        )
    }

    private func word(_ call: CallRequest) async throws -> UInt256 {
        let bytes = try await chain.call(call)
        return try #require(UInt256(bigEndian: bytes.prefix(32)))
    }
}

/// Runs and returns the `DexError` that is thrown; fails the test where there is none.
func refusal<Value>(_ body: () async throws -> Value) async -> DexError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown")
        return nil
    } catch let error as DexError {
        return error
    } catch {
        Issue.record("another error: \(error)")
        return nil
    }
}
