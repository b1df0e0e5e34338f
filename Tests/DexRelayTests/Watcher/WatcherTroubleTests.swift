import DexTestSupport
import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay

/// Nodes that fail, lag and lie; stores that fail; instances that come and go.
@Suite struct WatcherTroubleTests {
    @Test("whichever read fails, nothing has changed, and the next round does it all")
    func failures() async throws {
        for failing in 0..<20 {
            let fixture = try WatchFixture()
            let orders = try (1...1_200).map { try fixture.order(salt: $0) }
            try await fixture.start(orders)
            fixture.chain.mine {
                $0.fill(orders[0], 2000, by: WatchFixture.taker)
            }
            fixture.chain.mine()
            let before = (fixture.store.states, fixture.store.position)
            fixture.chain.fail(
                with: .unreachable(url: "node", reason: "down"),
                after: failing
            )
            let round = await fixture.watcher.step()
            if round == .failed {
                #expect(fixture.store.states == before.0)
                #expect(fixture.store.position == before.1)
                #expect(fixture.watcher.statistics.nodeFailures == 1)
            }
            fixture.chain.fail(with: nil)
            try await fixture.settle()
            #expect(fixture.state(orders[0]) == .filled)
            #expect(fixture.store.position?.head?.hash == fixture.chain.head.hash)
            guard round == .failed else { return }
        }
        Issue.record("no round got through")
    }

    @Test("a node that forgot a block is asked again later")
    func forgotten() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        let middle = fixture.chain.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        let head = fixture.chain.mine()
        for hashes in [[middle.hash], [head.hash], [middle.hash, head.hash]] {
            fixture.chain.forget(Set(hashes))
            #expect(await fixture.watcher.step() == .failed)
            #expect(fixture.state(order) == .shown)
        }
        fixture.chain.forget([])
        try await fixture.settle()
        #expect(fixture.state(order) == .filled)
    }

    /// How a node's answer contradicts itself.
    enum Lie: CaseIterable {
        case foreignLogs, namelessLogs, foreignParent, wrongNumber
    }

    @Test("an answer that contradicts itself is refused", arguments: Lie.allCases)
    func lies(lie: Lie) async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        fixture.chain.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        fixture.chain.mine()
        let before = fixture.store.position
        fixture.chain.tamper { read, answer in
            switch (lie, read, answer) {
            case (.foreignLogs, _, .logs(let logs)):
                .logs(logs.map { Self.copy($0, of: BlockHash(UInt256(1).word)) })
            case (.namelessLogs, _, .logs(let logs)): .logs(logs.map { Self.copy($0, of: nil) })
            case (.foreignParent, .block(.hash), .block(let block?)):
                .block(Self.copy(block, hash: BlockHash(UInt256(1).word), number: block.number))
            case (.wrongNumber, .block(.hash), .block(let block?)):
                .block(Self.copy(block, hash: block.hash, number: block.number + 1))
            default: answer
            }
        }
        #expect(await fixture.watcher.step() == .failed)
        #expect(fixture.state(order) == .shown)
        #expect(fixture.store.position == before)
        fixture.chain.tamper(nil)
        try await fixture.settle()
        #expect(fixture.state(order) == .filled)
    }

    private static func copy(_ log: Log, of block: BlockHash?) -> Log {
        Log(
            address: log.address,
            topics: log.topics,
            data: log.data,
            blockNumber: log.blockNumber,
            blockHash: block,
            transactionHash: log.transactionHash,
            logIndex: log.logIndex
        )
    }

    private static func copy(_ block: Block, hash: BlockHash, number: UInt64) -> Block {
        Block(
            number: number,
            hash: hash,
            parentHash: block.parentHash,
            timestamp: block.timestamp,
            baseFeePerGas: nil,
            gasLimit: 0,
            gasUsed: 0
        )
    }

    @Test("one token whose calls fail at the node holds up nobody else's orders")
    func brokenToken() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        let odd = try fixture.order(salt: 2) { $0.makerToken = WatchFixture.dai }
        try await fixture.start([order, odd])
        fixture.chain.breakCalls(of: [WatchFixture.dai])
        try await fixture.mine {
            $0.fill(order, 2000, by: WatchFixture.taker)
            $0.fill(odd, 2000, by: WatchFixture.taker)
        }
        #expect(fixture.state(order) == .filled)
        #expect(fixture.state(odd) == .shown)
        fixture.chain.breakCalls(of: [])
        try await fixture.mine()
        #expect(fixture.state(odd) == .filled)
    }

    @Test("a node that cannot run any call is at fault itself: nothing is skipped")
    func brokenNode() async throws {
        let fixture = try WatchFixture()
        let orders = try (1...50).map { try fixture.order(salt: $0) }
        try await fixture.start(orders)
        fixture.chain.breakCalls(of: [WatchFixture.zrx])
        fixture.chain.mine {
            $0.transfer(
                WatchFixture.zrx,
                from: fixture.maker,
                to: WatchFixture.taker,
                1 << 100
            )
        }
        #expect(await fixture.watcher.step() == .failed)
        fixture.chain.breakCalls(of: [])
        try await fixture.settle()
        #expect(orders.allSatisfy { fixture.state($0) == .dormant })
    }

    @Test("a store that fails keeps the old position, and the round is done again")
    func store() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        let before = fixture.store.position
        fixture.chain.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        fixture.store.fail(with: .unavailable(reason: "gone"))
        #expect(await fixture.watcher.step() == .failed)
        #expect(fixture.store.position == before)
        fixture.store.fail(with: nil)
        try await fixture.settle()
        #expect(fixture.state(order) == .filled)
    }

    @Test("one instance watches; another takes over where it stopped, and knows its changes")
    func takeOver() async throws {
        let first = try WatchFixture()
        let orders = try (1...3).map { try first.order(salt: $0) }
        try await first.start(orders)
        let second = try WatchFixture(chain: first.chain, store: first.store)
        second.clock.advance(by: 60)
        try await second.ledger.load()
        #expect(await second.watcher.step() == .elsewhere)
        #expect(second.watcher.isCaughtUp)
        try await first.mine { $0.fill(orders[0], 2000, by: WatchFixture.taker) }
        // Posted at the second one while the first one watches.
        try await second.ledger.catchUp()
        let late = try first.order(salt: 9)
        try await second.add([late])
        try await first.ledger.catchUp()
        try await first.mine {
            $0.transfer(
                WatchFixture.zrx,
                from: first.maker,
                to: WatchFixture.taker,
                1 << 101
            )
            $0.fill(late, 2000, by: WatchFixture.taker)
        }
        #expect(await second.watcher.step() == .elsewhere)
        first.store.breakLease()
        // Nobody watches while this happens.
        first.chain.mine { $0.fill(orders[1], 2000, by: WatchFixture.taker) }
        #expect(await second.watcher.step() != .elsewhere)
        try await second.settle()
        #expect(second.state(orders[1]) == .filled)
        #expect(second.state(late) == .filled)
        #expect(second.index[orders[0].hash]?.state == .filled)
        #expect(second.watcher.statistics.isWatching)
        #expect(await first.watcher.step() == .elsewhere)
        #expect(!first.watcher.statistics.isWatching)
        await second.watcher.stop()
        #expect(await first.watcher.step() != .elsewhere)
    }

    @Test("an instance that hung does not commit what it saw over its successor")
    func fencing() async throws {
        let first = try WatchFixture()
        let order = try first.order()
        try await first.start([order])
        let second = try WatchFixture(chain: first.chain, store: first.store)
        second.clock.advance(by: 60)
        try await second.ledger.load()
        first.chain.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        let gate = Gate()
        // The head, its logs; then the orders that they touch.
        first.chain.holdRead(at: gate, after: 2)
        let hanging = Task { await first.watcher.step() }
        try await gate.waitForArrivals(1)
        // The block that it is about to follow is undone, and another instance takes over.
        first.chain.undo(1)
        for _ in 0..<2 { first.chain.mine() }
        first.store.breakLease()
        try await second.settle()
        #expect(second.watcher.statistics.isWatching)
        let position = first.store.position
        gate.open()
        #expect(await hanging.value == .elsewhere)
        #expect(first.state(order) == .shown)
        #expect(first.store.position == position)
        #expect(!first.watcher.statistics.isWatching)
        #expect(await first.watcher.step() == .elsewhere)
    }

    @Test("it runs by the pauses that it is given, and gives the lease back when it is cancelled")
    func running() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        let pauses = Pauses()
        let (ticks, sender) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await fixture.watcher.run(every: .milliseconds(7)) { duration in
                pauses.note(duration)
                sender.yield()
                try await Task.sleep(for: .seconds(3_600))
            }
        }
        _ = try await ticks.next("a pause of the watcher")
        #expect(fixture.watcher.statistics.isWatching)
        task.cancel()
        await task.value
        #expect(pauses.all == [.milliseconds(7)])
        #expect(!fixture.watcher.statistics.isWatching)
        #expect(try await fixture.store.takeWatch() != nil)
        // While another instance watches it asks again every two seconds.
        let waiting = Task {
            await fixture.watcher.run(every: .milliseconds(7)) { duration in
                pauses.note(duration)
                sender.yield()
                try await Task.sleep(for: .seconds(3_600))
            }
        }
        _ = try await ticks.next("a pause of the second run")
        waiting.cancel()
        await waiting.value
        #expect(pauses.all.last == .seconds(2))
    }

    /// The pauses that a watcher has asked for.
    private final class Pauses: Sendable {
        private let durations = Mutex<[Duration]>([])

        var all: [Duration] { durations.withLock { $0 } }

        func note(_ duration: Duration) { durations.withLock { $0.append(duration) } }
    }
}
