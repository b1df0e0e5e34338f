import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Logging
import Synchronization
import ZeroEx

@testable import DexRelay

/// Some instances of a relay with orders of both versions, over one book and the embedded chain.
actor WatchedSandbox {
    static let start: UInt64 = 1_750_000_000
    static let ether = UInt256(1_000_000_000_000_000_000)

    /// Counts the reads of a chain by whether they fetch a missing block.
    final class Node: ChainClient {
        private let wrapped: SandboxChain
        private let counts = Mutex((blocks: 0, others: 0))

        init(_ chain: SandboxChain) {
            wrapped = chain
        }

        func takeCounts() -> (blocks: Int, others: Int) {
            counts.withLock { counts in
                defer { counts = (0, 0) }
                return counts
            }
        }

        func read(
            _ reads: [ChainRead]
        ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
            counts.withLock { counts in
                if case .block(.hash)? = reads.first {
                    counts.blocks += 1
                } else {
                    counts.others += 1
                }
            }
            return try await wrapped.read(reads)
        }

        func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
            try await wrapped.send(raw: raw)
        }
    }

    /// A version's exchange on the embedded chain.
    struct Venue: Sendable {
        let exchangeProtocol: any ExchangeProtocol
        let contracts: ExchangeContracts
    }

    let chain: SandboxChain
    let node: Node
    let clock: RelayFixture.Clock
    /// Each instance's own; all hold one book.
    let stores: [any OrderStore]
    let venues: [Venue]
    let makers: [PrivateKeySigner]
    let taker: PrivateKeySigner
    let tokens: [Address]
    private(set) var relays: [RelayServer] = []
    /// Every order that a relay has accepted.
    private(set) var orders: [(version: ProtocolVersion, order: any SignedOrder)] = []
    /// Those that were accepted since the books were last compared.
    private var unfollowed: Set<OrderHash> = []
    var random: SeededGenerator

    /// - Parameter stores: of each instance; nil for two over one store in memory.
    init(seed: UInt64, stores: [any OrderStore]? = nil) throws {
        let memory = MemoryOrderStore()
        self.stores = stores ?? [memory, memory]
        random = SeededGenerator(seed: seed)
        let clock = RelayFixture.Clock()
        clock.advance(by: Self.start + 100 - RelayFixture.startTime)
        self.clock = clock
        makers = try (10..<15).map {
            try PrivateKeySigner(key: UInt256(0x5EED_0000 + $0 as UInt64).word)
        }
        taker = try PrivateKeySigner(key: UInt256(0x5EED_0001).word)
        tokens = [RelayFixture.zrx, RelayFixture.weth, RelayFixture.dai]
        let genesis = Self.genesis(owners: (makers + [taker]).map(\.address))
        chain = try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                mining: .manual,
                now: { clock.now },
                recoverer: Secp256k1()
            )
        )
        node = Node(chain)
        venues = [
            Venue(
                exchangeProtocol: ZeroExV1(),
                contracts: ExchangeContracts(
                    exchange: genesis.exchange,
                    transferContract: genesis.transferProxy,
                    feeToken: genesis.feeToken
                )
            ),
            Venue(
                exchangeProtocol: ZeroExV4(
                    domain: ExchangeDomainV4(
                        chainID: genesis.chainID,
                        exchange: genesis.exchangeProxy
                    ),
                    signatureKind: .eip712
                ),
                contracts: ExchangeContracts(
                    exchange: genesis.exchangeProxy,
                    transferContract: genesis.exchangeProxy,
                    feeToken: nil
                )
            ),
        ]
    }

    private static func genesis(owners: [Address]) -> Genesis {
        var genesis = Genesis(
            timestamp: start,
            exchange: RelayFixture.exchange,
            transferProxy: RelayFixture.proxy,
            feeToken: RelayFixture.zrx,
            accounts: owners.map { GenesisAccount(address: $0, ether: Wei(100_000 * ether)) },
            tokens: [
                TokenDefinition(
                    address: RelayFixture.zrx,
                    symbol: "ZRX",
                    name: "0x Protocol Token",
                    decimals: 18,
                    kind: .zrx
                ),
                TokenDefinition(
                    address: RelayFixture.weth,
                    symbol: "WETH",
                    name: "Wrapped Ether",
                    decimals: 18,
                    kind: .weth
                ),
                TokenDefinition(
                    address: RelayFixture.dai,
                    symbol: "DAI",
                    name: "Dai Stablecoin",
                    decimals: 18
                ),
            ]
        )
        for token in genesis.tokens.map(\.address) {
            for owner in owners {
                genesis.balances.append(
                    GenesisBalance(token: token, owner: owner, amount: 1_000 * ether)
                )
                for spender in [genesis.transferProxy, genesis.exchangeProxy] {
                    genesis.allowances.append(
                        GenesisAllowance(token: token, owner: owner, spender: spender)
                    )
                }
            }
        }
        return genesis
    }

    // MARK: Relays

    func open() async throws {
        for store in stores { relays.append(try await relay(over: store)) }
    }

    private func relay(over store: any OrderStore) async throws -> RelayServer {
        let pairs = [
            RelayFixture.pair(tokens[0], tokens[1]), RelayFixture.pair(tokens[1], tokens[2]),
            RelayFixture.pair(tokens[0], tokens[2]),
        ]
        let terms = venues.map { venue in
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(contracts: venue.contracts, pairs: pairs)
                ),
                exchangeProtocol: venue.exchangeProtocol
            )
        }
        let clock = clock
        let server = RelayServer(
            terms[0],
            Array(terms.dropFirst()),
            chain: node,
            recoverer: Secp256k1(),
            store: store,
            now: { clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await server.restore()
        return server
    }

    /// Ends one instance and starts another in its place.
    func restart(_ index: Int) async throws {
        await relays[index].watcher.stop()
        relays[index] = try await relay(over: stores[index])
    }

    /// Lets every instance do what it can, and read what the other has done.
    func watch() async throws {
        // A lease that was just lost may not be free at once.
        try await until("an instance to watch") {
            for relay in relays {
                for _ in 0..<100 {
                    let round = await relay.watcher.step()
                    if round == .failed { throw Unexpected("the watcher failed") }
                    if round != .more { break }
                }
            }
            return relays.contains { $0.watcher.statistics.isWatching }
        }
        for relay in relays { try await relay.ledger.catchUp() }
    }

    /// Posts new orders at one instance.
    func post(_ count: Int, at index: Int) async throws {
        for (number, venue) in venues.enumerated() {
            var fresh: [any SignedOrder] = []
            for _ in 0..<count {
                let maker = random.pick(makers)
                let first = random.below(3)
                let second = (first + 1 + random.below(2)) % 3
                let life = random.chance(30) ? 20 + random.below(300) : 100_000
                let draft = OrderDraft(
                    exchange: venue.contracts.exchange,
                    maker: maker.address,
                    makerToken: tokens[first],
                    takerToken: tokens[second],
                    makerAmount: UInt256(UInt64(1 + random.below(300))) * Self.ether,
                    takerAmount: UInt256(UInt64(1 + random.below(50))) * Self.ether,
                    expiry: UInt256(clock.now + UInt64(life)),
                    salt: UInt256(UInt64(random.below(1_000_000)))
                )
                fresh.append(try await venue.exchangeProtocol.sign(draft, with: maker))
            }
            let market = relays[index].markets[number]
            let outcome = try await market.intake.add(fresh)
            let refused = Set(outcome.refused.map(\.0))
            for order in fresh where !refused.contains(order.hash) {
                orders.append((venue.exchangeProtocol.version, order))
                unfollowed.insert(order.hash)
            }
        }
        for relay in relays { try await relay.ledger.catchUp() }
    }

    // MARK: The chain

    /// Something random happens, or nothing if it is refused.
    func happen() async throws {
        let maker = random.pick(makers)
        let token = random.pick(tokens)
        switch random.below(100) {
        case 0..<35: try await trade()
        case 35..<60:
            let balance = try await balance(token, maker.address)
            let share = random.pick([1, 2, 3, 10])
            let amount = balance / UInt256(UInt64(share))
            let to = random.chance(50) ? random.pick(makers).address : taker.address
            await send(maker, token, ERC20.transfer(to: to, amount: amount))
        case 60..<70:
            let balance = try await balance(token, taker.address)
            let amount = balance / 20
            await send(taker, token, ERC20.transfer(to: maker.address, amount: amount))
        case 70..<85:
            let spender = random.pick(venues).contracts.transferContract
            let amount = random.pick([0, UInt256.max, .max, 50 * Self.ether])
            await send(maker, token, ERC20.approve(spender: spender, amount: amount))
        case 85..<92:
            let call = ERC20.call("deposit()")
            await send(maker, RelayFixture.weth, call, value: 30 * Self.ether)
        default:
            let balance = try await balance(RelayFixture.weth, maker.address)
            let call = ERC20.call("withdraw(uint256)", balance.word)
            await send(maker, RelayFixture.weth, call)
        }
    }

    private func trade() async throws {
        guard !orders.isEmpty else { return }
        let (version, order) = random.pick(Array(orders.suffix(60)))
        guard let venue = venues.first(where: { $0.exchangeProtocol.version == version }),
            let maker = makers.first(where: { $0.address == order.maker })
        else { return }
        let rules = venue.exchangeProtocol
        switch random.below(10) {
        case 0..<6:
            let part = order.takerAmount / UInt256(UInt64(random.pick([1, 1, 2, 5])))
            let call = rules.fillCall(
                PlannedFill(order: order, takerAmount: part),
                mode: .throwing,
                contracts: venue.contracts
            )
            await send(taker, call.to, call.data)
        case 6..<8:
            let call = rules.cancelCall([order], contracts: venue.contracts)
            await send(maker, call.to, call.data)
        default:
            let cancel = PairCancel(
                maker: order.maker,
                makerToken: order.makerToken,
                takerToken: order.takerToken,
                minimumSalt: order.salt + 1
            )
            guard let call = rules.pairCancelCall([cancel], contracts: venue.contracts) else {
                return
            }
            await send(maker, call.to, call.data)
        }
    }

    /// Sends a transaction; one that the pool refuses does not happen.
    private func send(
        _ signer: PrivateKeySigner,
        _ to: Address,
        _ data: [UInt8],
        value: UInt256 = 0
    ) async {
        do {
            let nonce = try await node.read(.transactionCount(signer.address, .pending))
            let transaction = Transaction(
                chainID: 1337,
                nonce: nonce,
                fee: .dynamic(
                    maxFeePerGas: Wei(200_000_000_000),
                    maxPriorityFeePerGas: Wei(1_000_000_000)
                ),
                gasLimit: 500_000,
                to: to,
                value: Wei(value),
                data: data
            )
            let signed = SignedTransaction(
                transaction: transaction,
                signature: try signer.signature(over: transaction.signingHash),
                sender: signer.address
            )
            _ = try await node.send(raw: signed.raw)
        } catch {
            refused += 1
        }
    }

    private(set) var refused = 0

    private func balance(_ token: Address, _ owner: Address) async throws -> UInt256 {
        let request = CallRequest(to: token, data: ERC20.balanceOf(owner))
        return UInt256(bigEndian: try await node.call(request)) ?? 0
    }

    // MARK: Brute force

    /// Where the state of an order in an instance is not the one that the chain has.
    func differences() async throws -> [String] {
        let head = await chain.latestBlock
        let time = max(head.timestamp, clock.now)
        var differences: [String] = []
        let stored = try await stored()
        var doubts: [OrderHash: UInt64] = [:]
        for relay in relays {
            doubts.merge(await relay.watcher.leftovers.doubts) { max($0, $1) }
        }
        for (number, venue) in venues.enumerated() {
            let rules = venue.exchangeProtocol
            let own = orders.filter { $0.version == rules.version }.map(\.order)
            let auditor = OrderAuditor(
                exchangeProtocol: rules,
                chain: node,
                contracts: venue.contracts
            )
            let audits = try await auditor.audit(own)
            for (order, audit) in zip(own, audits) {
                let hasExpired = order.expiry <= UInt256(time)
                // The chain answers calls at its newest block as the next block will, a second
                // later. Whether that is seen depends on whether the order was audited.
                if audit.state.status == .expired, order.expiry == UInt256(time + 1) { continue }
                let expected: ListingState =
                    switch audit.state.status {
                    case .filled: .filled
                    case .cancelled: .cancelled
                    case .expired: .expired
                    case .open, .rejected:
                        hasExpired ? .expired : audit.fillable == 0 ? .dormant : .shown
                    }
                for (instance, relay) in relays.enumerated() {
                    let listing = relay.markets[number].intake.book.read {
                        $0.listing(order.hash)
                    }
                    let stored = stored[order.hash]
                    let state = listing?.state ?? stored?.state
                    // The contract of v4 calls an expired order expired whatever came before or
                    // after; the relay does not look at it again.
                    if hasExpired, state?.isGone == true, expected.isGone { continue }
                    // The funds that it was posted with were undone before anybody followed their
                    // block, so no log names it. One look does not make it dormant: it is asked
                    // again at the next block.
                    if state == .shown, expected == .dormant, unfollowed.contains(order.hash),
                        doubts[order.hash] == head.number
                    {
                        continue
                    }
                    let isRight =
                        state == expected && stored?.state == expected
                        && (expected != .shown || listing?.standing == OrderStanding(audit))
                    guard !isRight else { continue }
                    differences.append(
                        "\(rules.version) \(order.hash) is \(String(describing: state)) in "
                            + "\(instance), \(expected) on chain, block \(head.number)"
                    )
                }
            }
        }
        unfollowed = []
        return differences
    }

    /// Every order that the store has.
    func stored() async throws -> [OrderHash: ListedOrder] {
        var orders: [OrderHash: ListedOrder] = [:]
        _ = try await stores[0].load(goneSince: 0) { orders[$0.hash] = $0 }
        return orders
    }

    /// Keeps the list of orders short: forgets some that ended long ago.
    func trim() {
        guard orders.count > 240 else { return }
        orders.removeFirst(orders.count - 240)
    }
}
