import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization
import Testing
import ZeroEx

/// Guards on a network without a relay, on a chain whose first block is an hour old.
///
/// So each block has the time that the test wants. Where a guard looks or signs, blocks have to be
/// within five minutes of this machine's time.
extension EVMStage {
    /// Runs a body on such a stage, whose pools are handed to it.
    ///
    /// - Parameters:
    ///   - observations: how many the oracle of the first pool may keep; 1 as of every new pool.
    ///   - change: to the scene; alice has approved the router.
    static func guarding(
        observations: UInt16 = 1,
        _ change: (inout Scene) throws -> Void = { _ in },
        _ body: (EVMStage, [EVMUniswapPool]) async throws -> Void
    ) async throws {
        try await pooling {
            $0.age = 3_600
            // It reads the oracle at the newest block's time; the sandbox's calls have the next's.
            $0.isOnPyEVM = true
            $0.uniswap?.allowances = [.zrx: "1000", .weth: "10"]
            try change(&$0)
        } _: { stage, pools in
            let lines = try stage.binary.config().split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            let config = lines.filter { !$0.hasPrefix("relay = ") }.joined(separator: "\n")
            try stage.binary.write(config: config)
            try stage.time(after: 600)
            try stage.send(
                try await stage.transaction(
                    by: .dave,
                    to: try pools[0].address,
                    data: stage.call(
                        "increaseObservationCardinalityNext(uint16)",
                        UInt256(UInt64(observations)).word
                    ),
                    gasLimit: 3_000_000
                )
            )
            try await body(stage, pools)
        }
    }

    /// The latest block's time, in seconds since 1970.
    func headTime() throws -> UInt64 {
        let block = try node.call("eth_getBlockByNumber", "latest", false)
        return UInt64(try block.at("timestamp").quantity())
    }

    /// Gives the next block a time, in seconds since 1970; at least the latest one's and 1.
    private func set(time: UInt64) throws {
        try node.call("evm_setNextBlockTimestamp", .string(UInt256(time).quantity))
    }

    /// Gives the next block a time, in seconds after the latest one.
    func time(after seconds: UInt64) throws {
        try set(time: try headTime() + seconds)
    }

    /// Gives the block of the next transaction of `dex` a time, in seconds after the latest one.
    func atNextSend(after seconds: UInt64) throws {
        try atNextSend(time: UInt256(try headTime() + seconds))
    }

    /// A block of these transactions, so many seconds before now, or right after the latest one.
    func mine(_ raw: [[UInt8]] = [], ago seconds: UInt64) throws {
        try mine(raw, at: Scene.now - seconds)
    }

    /// A block of these transactions, so many seconds after the latest one.
    func mine(_ raw: [[UInt8]] = [], after seconds: UInt64) throws {
        try mine(raw, at: try headTime() + seconds)
    }

    private func mine(_ raw: [[UInt8]], at time: UInt64) throws {
        try node.call("evm_setAutomine", false)
        for raw in raw { try send(raw) }
        try set(time: time)
        try node.call("evm_mine")
        try node.call("evm_setAutomine", true)
    }

    /// What `dex guard run` printed and did.
    struct GuardRun: Sendable {
        let events: [JSONValue]
        /// Of a run that ended by itself without an event, as JSON.
        let error: JSONValue
        let status: Int32
        /// Blocks that were made for it.
        let looks: Int

        var words: [String] { events.map { $0.at("event").stringValue ?? "" } }
        /// Why guards were held.
        var reasons: [String] { events.compactMap { $0.at("reason").stringValue } }
    }

    /// Runs alice's guards; each of their looks at the chain has a block of its own.
    ///
    /// - Parameters:
    ///   - looks: the run is killed at the last of them, which has no block.
    ///   - seconds: between two blocks.
    ///   - moves: transactions of others by the look in whose block they are, from 1.
    func runGuards(
        looks maximum: Int,
        every seconds: UInt64,
        _ moves: [Int: [[UInt8]]] = [:]
    ) async throws -> GuardRun {
        let looks = Mutex(0)
        let looking = try Interposer(before: front.url) { [self] request, _ in
            guard request.methods == ["eth_chainId", "eth_getBlockByNumber"] else { return .pass }
            let number = looks.withLock { count in
                count += 1
                return count
            }
            do {
                if number == maximum {
                    try binary.kill()
                } else {
                    try mine(moves[number] ?? [], after: seconds)
                }
            } catch { Issue.record(error) }
            return .pass
        }
        let run = try await binary.run(
            ["guard", "run", "--json", "--timeout", "600", "--rpc", looking.url],
            environment: scene.environment.merging(["DEX_PRIVATE_KEY": Party.alice.secret]) { $1 }
        )
        let lines = try run.stdout.split(separator: "\n").map {
            try JSONParser.parse(text: String($0))
        }
        #expect(hooks.leftovers() == [], "\(run.stdout) \(run.stderr)")
        #expect(!"\(run.stdout) \(run.stderr)".contains(Party.alice.secret.dropFirst(2)))
        return GuardRun(
            events: lines.compactMap { $0["data"] }.filter { !$0.at("event").isNull },
            error: lines.compactMap { $0["error"] }.first { !$0.isNull } ?? .null,
            status: run.status,
            looks: looks.withLock { $0 }
        )
    }

    /// A signed sale to the first pool by dave, in the block in which it is handed over.
    ///
    /// - Parameters:
    ///   - raw: base units.
    ///   - place: among those that dave has signed and not yet sent, from 0.
    ///   - isLast: it is behind all others of its block.
    func move(
        _ token: EVMToken,
        raw: UInt256,
        at pool: EVMUniswapPool,
        place: UInt64 = 0,
        isLast: Bool = false
    ) async throws -> [UInt8] {
        try await transaction(
            by: .dave,
            to: PoolScene.provider,
            data: call(
                "sell(address,address,uint256)",
                try pool.address.word,
                token.address.word,
                raw.word
            ),
            isBehind: isLast,
            nonces: place
        )
    }
}
