import DexRelay
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Synchronization
import Testing
import ZeroEx

/// A chain, a relay that reads it, and the built `dex` with a home of its own.
///
/// `dex` speaks to the node through something that tests can make things happen at.
final class EVMStage: Sendable {
    let scene: Scene
    let node: EVMNode
    let intake: OrderIntake
    let binary: DexBinary
    let hooks: NodeHooks
    let front: Interposer
    var exchange: any ExchangeProtocol { scene.venue.exchange }
    var contracts: ExchangeContracts { scene.venue.contracts }
    private let salts = Mutex<UInt64>(0)
    private let tips = Mutex<UInt64>(0)
    private let sent = Mutex<Set<String>>([])

    /// Runs a body on a stage, which is gone afterwards however the body ends.
    static func run(
        _ scene: Scene = Scene(),
        _ body: (EVMStage) async throws -> Void
    ) async throws {
        let node = try await EVMNode.start(scene.genesis(), on: scene.node)
        defer { node.stop() }
        let relay = try Self.relay(scene, node: node)
        let (ports, sender) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sender.finish() }
                do {
                    try await Self.serve(relay, watches: scene.watches) { sender.yield($0) }
                } catch is CancellationError {
                    // That is how the relay ends.
                }
            }
            let port = try #require(
                try await ports.next("the relay's port"),
                "the relay did not start"
            )
            let stage = try EVMStage(scene, node: node, intake: relay.intake, relayPort: port)
            do {
                try await body(stage)
            } catch {
                group.cancelAll()
                throw error
            }
            let leftovers = stage.hooks.leftovers()
            #expect(leftovers == [])
            group.cancelAll()
        }
    }

    private init(_ scene: Scene, node: EVMNode, intake: OrderIntake, relayPort: Int) throws {
        self.scene = scene
        self.node = node
        self.intake = intake
        let hooks = NodeHooks()
        self.hooks = hooks
        let url = node.url
        front = try Interposer(before: url) { request, _ in hooks.decide(request, node: url) }
        binary = try DexBinary()
        try binary.write(
            config: scene.config(
                node: front.url,
                relay: "http://127.0.0.1:\(relayPort)/\(scene.venue.relayPath)",
                swap: node.swap
            )
        )
    }

    // MARK: Orders

    /// A signed order.
    ///
    /// - Parameters:
    ///   - sells: maker token and amount, in human units.
    ///   - wants: taker token and amount.
    ///   - expires: seconds from now.
    ///   - fees: in place of the relay's.
    func order(
        by maker: Party,
        sells: (EVMToken, String),
        wants: (EVMToken, String),
        for taker: Party? = nil,
        expires: UInt64 = 86_400,
        fees: OrderFees? = nil
    ) async throws -> any SignedOrder {
        let salt = salts.withLock { salt in
            salt += 1
            return salt
        }
        let direction = PairDirection(makerToken: sells.0.address, takerToken: wants.0.address)
        return try await exchange.sign(
            OrderDraft(
                exchange: contracts.exchange,
                maker: maker.address,
                taker: taker?.address ?? .zero,
                makerToken: sells.0.address,
                takerToken: wants.0.address,
                makerAmount: sells.0.raw(sells.1),
                takerAmount: wants.0.raw(wants.1),
                expiry: UInt256(Scene.now + expires),
                salt: UInt256(salt),
                fees: fees ?? scene.fees.fees(direction, takerAmount: wants.0.raw(wants.1))
            ),
            with: maker.signer
        )
    }

    /// A signed order on the relay's book.
    func post(
        by maker: Party,
        sells: (EVMToken, String),
        wants: (EVMToken, String),
        for taker: Party? = nil,
        expires: UInt64 = 86_400
    ) async throws -> any SignedOrder {
        let order = try await order(
            by: maker,
            sells: sells,
            wants: wants,
            for: taker,
            expires: expires
        )
        let isNew = try await intake.post(order)
        #expect(isNew)
        return order
    }

    /// Posts an order that gives 100 ZRX for WETH.
    func ask(
        by maker: Party = .bob,
        wants price: String = "0.1",
        for taker: Party? = nil,
        expires: UInt64 = 86_400
    ) async throws -> any SignedOrder {
        try await post(
            by: maker,
            sells: (.zrx, "100"),
            wants: (.weth, price),
            for: taker,
            expires: expires
        )
    }

    // MARK: Transactions of others

    /// A signed transaction with the account's next nonce, ahead of all earlier ones by its tip,
    /// which `dex` learns from.
    ///
    /// - Parameters:
    ///   - protocolFeeGas: as much ether as so much gas costs at the most goes along.
    ///   - isBehind: its tip puts it behind all others instead.
    ///   - ahead: the account's transactions before it that the node does not have yet.
    func transaction(
        by party: Party,
        to address: Address?,
        data: [UInt8],
        value: UInt256 = .zero,
        gasLimit: UInt64 = 1_000_000,
        protocolFeeGas: UInt64 = 0,
        isBehind: Bool = false,
        nonces ahead: UInt64 = 0
    ) async throws -> [UInt8] {
        let count = try node.call(
            "eth_getTransactionCount",
            .string(party.address.checksummed),
            "pending"
        )
        let tip: UInt64 =
            isBehind
            ? 1
            : tips.withLock { tip in
                tip += 50_000_000_000
                return tip
            }
        let price = tip + 100_000_000_000
        let transaction = Transaction(
            chainID: Scene.chainID,
            nonce: UInt64(try count.quantity()) + ahead,
            fee: .dynamic(
                maxFeePerGas: Wei(UInt256(price)),
                maxPriorityFeePerGas: Wei(UInt256(tip))
            ),
            gasLimit: gasLimit,
            to: address,
            value: Wei(value + UInt256(price) * UInt256(protocolFeeGas)),
            data: data
        )
        return try await party.signer.sign(transaction, chainID: Scene.chainID).raw
    }

    /// A fill of an order by somebody else.
    func fill(
        _ order: any SignedOrder,
        by taker: Party,
        paying amount: UInt256
    ) async throws -> [UInt8] {
        let call = exchange.fillCall(
            PlannedFill(order: order, takerAmount: amount),
            mode: .skipping,
            contracts: contracts
        )
        return try await transaction(
            by: taker,
            to: call.to,
            data: call.data,
            protocolFeeGas: call.protocolFeeGas
        )
    }

    /// A maker's cancel of an order's rest.
    func cancel(_ order: any SignedOrder, by maker: Party) async throws -> [UInt8] {
        let call = exchange.cancelCall([order], contracts: contracts)
        return try await transaction(by: maker, to: call.to, data: call.data)
    }

    /// A transfer of a token.
    func transfer(
        _ token: EVMToken,
        _ amount: String,
        from: Party,
        to: Party
    ) async throws -> [UInt8] {
        let data = ERC20.transfer(to: try to.address, amount: try token.raw(amount))
        return try await transaction(by: from, to: token.address, data: data)
    }

    /// An approval of the transfer contract.
    func approve(_ token: EVMToken, _ amount: String, by owner: Party) async throws -> [UInt8] {
        let spender = contracts.transferContract
        let data = ERC20.approve(spender: spender, amount: try token.raw(amount))
        return try await transaction(by: owner, to: token.address, data: data)
    }

    /// Hands a signed transaction to the node and returns its hash.
    @discardableResult
    func send(_ raw: [UInt8]) throws -> String {
        let hash = try node.call("eth_sendRawTransaction", .string(Hex.encode(raw))).text("")
        _ = sent.withLock { $0.insert(hash) }
        return hash
    }

    /// A transaction was sent by the test itself, not by `dex`.
    func isOthers(_ hash: String) -> Bool {
        sent.withLock { $0.contains(hash) }
    }

    /// Takes the blocks into the test's own hands: `dex`'s n-th transaction from now on waits in
    /// the pool until others are mined in the same block: those that pay more before it.
    ///
    /// - Parameter blocks: that are mined after it too.
    func overtake(_ number: Int = 1, with raw: [UInt8]..., blocks: Int = 0) {
        let node = node
        hooks.before("eth_sendRawTransaction", number: number) {
            try node.call("evm_setAutomine", false)
        }
        hooks.after("eth_sendRawTransaction", number: number) { [self] in
            for raw in raw { try send(raw) }
            for _ in 0...blocks { try node.call("evm_mine") }
            try node.call("evm_setAutomine", true)
        }
    }

    /// Lets the next transaction of `dex` be mined at a time, in seconds since 1970.
    func atNextSend(time: UInt256) throws {
        let node = node
        hooks.before("eth_sendRawTransaction") {
            try node.call("evm_setNextBlockTimestamp", .string(time.quantity))
        }
    }
}
