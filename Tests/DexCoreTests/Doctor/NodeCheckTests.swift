import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a checkup tells of a node")
struct NodeCheckTests {
    private static func rows(
        isSandbox: Bool = false,
        readsByHash: Bool = false,
        _ change: (inout FakeProbe.State) -> Void = { _ in }
    ) async throws -> [DoctorState.Check: DoctorState.Row] {
        var network = try TestMarket().network
        network.name = "mine"
        network.isSandbox = isSandbox
        network.blockMilliseconds = 12_000
        network.freshness = 120
        let probe = FakeProbe(change)
        let rows = await NodeCheck(
            probe: probe,
            network: network,
            environment: probe.environment,
            otherNode: readsByHash ? "Name another node: rpc in relay.toml" : nil,
            readsByHash: readsByHash
        ).rows()
        #expect(rows.allSatisfy { $0.node == "https://node.example" })
        #expect(rows.allSatisfy { [.ok, .skipped].contains($0.mark) == ($0.remedy == nil) })
        #expect(rows.allSatisfy { ($0.mark == .fail) == ($0.kind != nil) })
        #expect(rows.allSatisfy { $0.found.hasSuffix(".") })
        return Dictionary(rows.map { ($0.check, $0) }) { first, _ in
            Issue.record("\(first.check) is told twice")
            return first
        }
    }

    @Test("a healthy node has six rows, all of them ok, in five requests")
    func healthy() async throws {
        let rows = try await Self.rows { $0.delay = 23 }
        #expect(Set(rows.keys) == [.node, .chainID, .sync, .clock, .batches, .logs])
        #expect(rows.values.allSatisfy { $0.mark == .ok })
        #expect(rows[.node]?.found == "https://node.example answers in 23 ms.")
        #expect(rows[.chainID]?.found == "It is on chain 1337.")
        #expect(rows[.sync]?.found == "Its latest block, 100, is 0 s old.")
        #expect(rows[.batches]?.found == "It answers 100 questions in one request.")
        #expect(rows[.logs]?.found == "It returns the events of 1000 blocks at once.")
        let probe = FakeProbe()
        _ = await NodeCheck(
            probe: probe,
            network: try TestMarket().network,
            environment: probe.environment
        ).rows()
        #expect(probe.requests.count == 5 && probe.sleeps.isEmpty)
    }

    @Test("a node that does not answer is one row, with the exit code of a node's failure")
    func silent() async throws {
        let rows = try await Self.rows {
            $0.chainID = .failure(.unreachable(url: "u", reason: "it is a \u{1B}[31mbrick"))
        }
        #expect(Set(rows.keys) == [.node])
        #expect(rows[.node]?.mark == .fail)
        #expect(rows[.node]?.kind == .unreachable)
        #expect(
            rows[.node]?.found
                == "The node at u cannot be reached: it is a brick. Nothing else of it was looked "
                + "at."
        )
        #expect(rows[.node]?.remedy?.contains("--rpc") == true)
    }

    @Test("a node of another chain is not looked at any further")
    func otherChain() async throws {
        let rows = try await Self.rows { $0.chainID = .success(1) }
        #expect(Set(rows.keys) == [.node, .chainID])
        #expect(rows[.chainID]?.mark == .fail)
        #expect(rows[.chainID]?.kind == .configuration)
        #expect(rows[.chainID]?.found.hasPrefix("The node is on chain 1 ") == true)
        #expect(
            rows[.chainID]?.remedy
                == "Use another node: --rpc URL\nFor good: dex config set networks.mine.rpc URL"
        )
    }

    // MARK: Sync

    @Test("a node that is catching up says how much it lacks")
    func syncing() async throws {
        let rows = try await Self.rows { $0.missing = .success(84) }
        #expect(rows[.sync]?.mark == .fail)
        #expect(rows[.sync]?.kind == .unreachable)
        #expect(rows[.sync]?.found.contains("about 84 blocks are missing") == true)
    }

    @Test("a node without eth_syncing is judged by the age of its head")
    func withoutSyncing() async throws {
        let rows = try await Self.rows {
            $0.missing = .failure(.rpc(code: -32_601, message: "no such method"))
        }
        #expect(rows[.sync]?.mark == .ok)
    }

    @Test("a node that does not say whether it is catching up is not taken for one that is done")
    func unreadSyncing() async throws {
        let rows = try await Self.rows {
            $0.missing = .failure(.rateLimited(url: "https://node.example", retryAfter: 1))
        }
        #expect(rows[.sync]?.mark == .fail)
        #expect(rows[.sync]?.kind == .unreachable)
    }

    @Test(
        "the age of the head is measured in block times",
        arguments: [
            (0, .ok), (119, .ok), (120, .warn), (1_199, .warn), (1_200, .fail), (9_999_999, .fail),
        ] as [(UInt64, DoctorState.Mark)]
    )
    func age(seconds: UInt64, mark: DoctorState.Mark) async throws {
        let rows = try await Self.rows {
            $0.block = .success(TestMarket.block(100, timestamp: TestMarket.now - seconds))
        }
        #expect(rows[.sync]?.mark == mark)
        #expect(rows[.sync]?.found.contains("is \(seconds) s old") == true)
    }

    @Test(
        "a head from the future is told, but for the seconds that clocks are off",
        arguments: [(1, .ok), (10, .ok), (11, .fail)] as [(UInt64, DoctorState.Mark)]
    )
    func future(seconds: UInt64, mark: DoctorState.Mark) async throws {
        let rows = try await Self.rows {
            $0.block = .success(TestMarket.block(100, timestamp: TestMarket.now + seconds))
        }
        #expect(rows[.sync]?.mark == mark)
    }

    @Test("the sandbox's head may be of any age")
    func sandbox() async throws {
        for timestamp in [1, TestMarket.now + 500] {
            let rows = try await Self.rows(isSandbox: true) {
                $0.block = .success(TestMarket.block(100, timestamp: timestamp))
            }
            #expect(rows[.sync] == .ok(.sync, node: "https://node.example", "It is at block 100."))
        }
    }

    @Test("a node without a latest block makes no sense")
    func noBlock() async throws {
        let rows = try await Self.rows { $0.block = .success(nil) }
        #expect(rows[.sync]?.mark == .fail)
        #expect(rows[.sync]?.kind == .unreachable)
        #expect(rows[.logs]?.mark == .skipped)
    }

    // MARK: The clock

    @Test(
        "a clock that is off by 2 s is told, by 10 s is too far off, wherever its second turns",
        arguments: [
            (0, .ok), (1_000, .ok), (1_850, .ok), (2_000, .warn), (2_500, .warn), (9_000, .warn),
            (9_850, .warn), (10_000, .fail), (10_500, .fail), (11_000, .fail), (86_400_000, .fail),
        ] as [(Int64, DoctorState.Mark)]
    )
    func clock(milliseconds: Int64, mark: DoctorState.Mark) async throws {
        for ahead in [milliseconds, -milliseconds] {
            for phase in stride(from: UInt64(0), to: 1_000, by: 111) {
                let rows = try await Self.rows {
                    $0.now += phase
                    $0.ahead = ahead
                    $0.delay = phase / 20
                    $0.block = .success(TestMarket.block(100, timestamp: $0.now / 1_000))
                }
                let row = try #require(rows[.clock])
                #expect(row.mark == mark, "\(ahead) ms at \(phase): \(row.found)")
                guard mark != .ok else { continue }
                #expect(row.found.contains(ahead > 0 ? "behind" : "ahead of"))
                #expect(row.remedy?.contains("timedatectl") == true)
                let seconds = milliseconds / 1_000
                #expect(
                    (seconds...seconds + 1).contains { row.found.contains("about \($0) s ") },
                    "\(row.found)"
                )
                if mark == .fail { #expect(row.kind == .configuration) }
            }
        }
    }

    @Test("the clock is looked at again only where a limit is in doubt, and not for long")
    func looks() async throws {
        for (ahead, isInDoubt) in [(0, false), (-500, false), (5_500, false), (2_000, true)] {
            let probe = FakeProbe { state in
                state.ahead = Int64(ahead)
                state.delay = 30
            }
            _ = await NodeCheck(
                probe: probe,
                network: try TestMarket().network,
                environment: probe.environment
            ).rows()
            #expect(probe.sleeps.isEmpty == !isInDoubt, "\(ahead)")
            #expect(probe.sleeps.count <= 6 && probe.sleeps.allSatisfy { $0 < 1_000 })
        }
    }

    @Test("a slow answer is no wrong clock, and is not asked for again and again")
    func slow() async throws {
        let probe = FakeProbe { state in
            state.ahead = 15_000
            state.delay = 30_000
        }
        let rows = await NodeCheck(
            probe: probe,
            network: try TestMarket().network,
            environment: probe.environment
        ).rows()
        #expect(rows.first { $0.check == .clock }?.mark == .ok)
        #expect(probe.sleeps.isEmpty && probe.requests.count == 5)
    }

    @Test("a node that does not tell its time leaves the clock unchecked, and the row says so")
    func noDate() async throws {
        let rows = try await Self.rows { $0.ahead = nil }
        #expect(rows[.clock]?.mark == .warn)
        #expect(rows[.clock]?.found.contains("was not checked") == true)
    }

    @Test("a time beyond all bounds does not trap", arguments: [UInt64.max, UInt64.max / 1_000, 0])
    func wildDate(date: UInt64) async throws {
        let rows = try await Self.rows { $0.date = date }
        #expect(rows[.clock]?.mark == (date == 0 ? .fail : .warn))
    }

    // MARK: Batches and logs

    @Test(
        "batches that are refused are told with the node's words",
        arguments: [
            (100, .ok, "100 questions"), (99, .warn, "takes fewer"), (2, .warn, "takes fewer"),
            (1, .warn, "only one question in a request (\"batch too large\")"),
        ] as [(Int, DoctorState.Mark, String)]
    )
    func batches(maximum: Int, mark: DoctorState.Mark, words: String) async throws {
        let rows = try await Self.rows { $0.batch = maximum }
        #expect(rows[.batches]?.mark == mark)
        #expect(rows[.batches]?.found.contains(words) == true)
    }

    @Test("a node that answers one question differently within a batch is not ok")
    func lies() async throws {
        let rows = try await Self.rows { $0.lie = 5 }
        #expect(rows[.batches]?.mark == .warn)
    }

    @Test(
        "logs are asked for in two sizes",
        arguments: [
            (1_000, .ok), (999, .warn), (10, .warn), (9, .fail),
        ] as [(UInt64, DoctorState.Mark)]
    )
    func logs(range: UInt64, mark: DoctorState.Mark) async throws {
        let rows = try await Self.rows {
            $0.range = range
            $0.block = .success(TestMarket.block(5_000, timestamp: TestMarket.now))
        }
        #expect(rows[.logs]?.mark == mark)
        if mark != .ok { #expect(rows[.logs]?.found.contains("(\"range too large\")") == true) }
        if mark == .fail { #expect(rows[.logs]?.kind == .unreachable) }
    }

    @Test("a relay's node answers at a block's hash, or it is told what it refuses")
    func blockHash() async throws {
        #expect(try await Self.rows()[.blockHash] == nil)
        let good = try await Self.rows(readsByHash: true)
        #expect(good[.blockHash]?.found == "It answers at a block's hash.")
        #expect(good[.blockHash]?.mark == .ok)
        let bad = try await Self.rows(readsByHash: true) {
            $0.logsAtHash = .rpc(code: -32_602, message: "unknown field blockHash")
        }
        #expect(bad[.blockHash]?.mark == .fail && bad[.blockHash]?.kind == .unreachable)
        #expect(
            bad[.blockHash]?.found
                == "At a block's hash it refuses logs (EIP-234, eth_getLogs with blockHash) "
                + "(\"unknown field blockHash\"): the relay could not follow the chain."
        )
        #expect(bad[.blockHash]?.remedy == "Name another node: rpc in relay.toml")
        let worse = try await Self.rows(readsByHash: true) {
            $0.logsAtHash = .missingBlock(code: -32_000, message: "no such block")
            $0.callAtHash = .rpc(code: -32_602, message: "invalid block number")
        }
        #expect(
            worse[.blockHash]?.found.contains("(\"no such block\") and calls (EIP-1898") == true
        )
        // A contract that refuses was asked.
        let reverted = try await Self.rows(readsByHash: true) {
            $0.callAtHash = .reverted(data: [], message: "no")
        }
        #expect(reverted[.blockHash]?.mark == .ok)
        let headless = try await Self.rows(readsByHash: true) { $0.block = .success(nil) }
        #expect(headless[.blockHash]?.mark == .skipped)
    }

    @Test("a node without eth_getLogs is told in its words, with its escapes shown")
    func noLogs() async throws {
        let rows = try await Self.rows {
            $0.logs = .failure(.rpc(code: -32_601, message: "\u{1B}[31mno\nlogs"))
        }
        #expect(
            rows[.logs]?.found
                == #"It returns no events ("\u{1B}[31mno\u{A}logs"): nothing can be watched or found again."#
        )
    }
}
