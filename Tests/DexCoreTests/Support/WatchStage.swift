import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization
import Testing
import ZeroEx

/// A chain of which blocks are taken out and put in, watched for the trader.
final class WatchStage: Sendable {
    /// A transaction's logs in a block of the chain or of an abandoned branch.
    private struct Entry: Sendable {
        let block: WatchedBlock
        let log: Log
    }

    private struct State: Sendable {
        var canonical: [UInt64: BlockHash] = [:]
        var entries: [Entry] = []
        var statuses: [WatchStatus] = []
        /// The node leaves out the logs of these blocks.
        var hidden: Set<UInt64> = []
    }

    let market: TestMarket
    let store = TemporaryJournal()
    let sink = RecordingSink("terminal")
    private let state = Mutex(State())

    init() throws {
        market = try TestMarket()
        for number: UInt64 in 0...100 { mine(number) }
        market.chain.set { [account] chain in
            chain.ether[account] = .zero
            chain.minedNonces[account] = 0
        }
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        market.chain.set { chain in
            chain.logs = { [weak self] filter in .success(self?.logs(filter) ?? []) }
        }
    }

    var account: Address { market.trader.address }
    var other: Address { market.makers[0].address }

    /// What was told of watching itself.
    var statuses: [WatchStatus] { state.withLock { $0.statuses } }

    func hide(_ blocks: Set<UInt64>) {
        state.withLock { $0.hidden = blocks }
    }

    // MARK: The chain

    /// Puts a block at the top, or in the place of another.
    func mine(_ number: UInt64, fork: UInt64 = 0, time: UInt64? = nil) {
        market.mine(number, timestamp: time ?? TestMarket.now + number, fork: fork)
        state.withLock { $0.canonical[number] = TestMarket.blockHash(number, fork: fork) }
    }

    /// Takes all blocks above one out of the chain.
    func cut(above number: UInt64) {
        market.chain.set { chain in
            chain.blocks = chain.blocks.filter { $0.key <= number }
        }
        state.withLock { state in
            state.canonical = state.canonical.filter { $0.key <= number }
        }
    }

    /// Mines a block with a transaction in it.
    func mine(
        _ number: UInt64,
        fork: UInt64 = 0,
        transaction: UInt64,
        firstIndex: UInt64 = 0,
        _ logs: [Log]
    ) {
        mine(number, fork: fork)
        let block = WatchedBlock(
            number: number,
            hash: TestMarket.blockHash(number, fork: fork)
        )
        let entries = logs.enumerated().map { index, log in
            Entry(
                block: block,
                log: Log(
                    address: log.address,
                    topics: log.topics,
                    data: log.data,
                    blockNumber: number,
                    blockHash: block.hash,
                    transactionHash: Self.hash(transaction),
                    logIndex: firstIndex + UInt64(index)
                )
            )
        }
        state.withLock { $0.entries += entries }
    }

    static func hash(_ number: UInt64) -> TransactionHash {
        TransactionHash(UInt256(number).word)
    }

    private func logs(_ filter: LogFilter) -> [Log] {
        state.withLock { state in
            state.entries.filter { entry in
                state.canonical[entry.block.number] == entry.block.hash
                    && !state.hidden.contains(entry.block.number)
                    && TestMarket.passes(entry.log, filter)
            }.map(\.log)
        }
    }

    func transfer(
        _ token: Address = TestMarket.zrx,
        from: Address,
        to: Address,
        _ amount: UInt256
    ) -> Log {
        Log(
            address: token,
            topics: [ERC20.transferTopic, from.word, to.word],
            data: amount.bigEndianBytes
        )
    }

    /// What wrapped ether tells of ether that became it, or the other way round.
    func wrap(_ topic: Bytes32, of account: Address? = nil, _ amount: UInt256) -> Log {
        Log(
            address: TestMarket.weth,
            topics: [topic, (account ?? self.account).word],
            data: amount.bigEndianBytes
        )
    }

    // MARK: Orders

    /// An order of the trader's, in the journal.
    func own(
        salt: UInt256 = 1,
        expiresIn seconds: UInt64 = 86_400,
        fees: OrderFees = .none
    ) async throws -> any SignedOrder {
        let order = try await market.ask(
            by: market.trader,
            "10",
            for: "1",
            fees: fees,
            expiresIn: seconds,
            salt: salt
        )
        try store.keep(order, of: market.protocolV1)
        return order
    }

    /// What the trader has of ZRX, for its orders.
    func fund(_ balance: UInt256, allowance: UInt256 = .max) {
        market.fund(account, TestMarket.zrx, balance: balance, allowance: allowance)
    }

    // MARK: Watching

    func model(
        _ settings: WatchSettings = WatchSettings(),
        sinks: [any WatchSink]? = nil,
        withRelay: Bool = true
    ) throws -> WatchModel {
        WatchModel(
            session: try market.session(withRelay: withRelay),
            journal: store.journal,
            settings: settings,
            sinks: sinks ?? [sink],
            tell: { status in self.state.withLock { $0.statuses.append(status) } }
        )
    }

    /// One pass of a process of its own; what it told.
    @discardableResult
    func look(
        from start: WatchStart = .journal,
        _ settings: WatchSettings = WatchSettings()
    ) async throws -> [WatchNotice] {
        let before = sink.notices.count
        #expect(try await model(settings).once(account, from: start) == [])
        return Array(sink.notices.dropFirst(before))
    }
}

/// Somebody who remembers what it was told, and takes it or not as it is bidden.
final class RecordingSink: WatchSink {
    let name: String
    private let state = Mutex((notices: [WatchNotice](), answers: [WatchDelivery](), tries: 0))

    init(_ name: String) {
        self.name = name
    }

    /// What it took, in order.
    var notices: [WatchNotice] { state.withLock { $0.notices } }
    /// How often it was told anything.
    var tries: Int { state.withLock { $0.tries } }

    /// What it answers next, before it takes everything again.
    func answer(_ answers: WatchDelivery...) {
        state.withLock { $0.answers += answers }
    }

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        state.withLock { state in
            state.tries += 1
            let answer = state.answers.isEmpty ? .delivered : state.answers.removeFirst()
            if answer == .delivered { state.notices.append(notice) }
            return answer
        }
    }
}

extension WatchNotice {
    /// `fill`, `undone sent` and the like.
    var word: String {
        let phase = message.phase == .new ? "" : "\(message.phase.rawValue) "
        return phase + event.kind.rawValue
    }
}
