import Ethereum
import Testing

@testable import DexSandbox

/// What a call touches and changes, few places and many.
@Suite("Executions")
struct ExecutionTests {
    private func execution(_ slots: [StorageKey: UInt256] = [:]) -> Execution {
        Execution(
            base: WorldState(slots: slots, number: 0).latest,
            block: BlockContext(number: 1, timestamp: 2, baseFee: 3, coinbase: .zero),
            gas: 10_000_000
        )
    }

    private func key(_ index: Int) -> StorageKey {
        StorageKey(TestChain.dai, .filled(UInt256(UInt64(index)).word))
    }

    /// The gas that something takes.
    private func gas(
        _ execution: Execution,
        _ body: () throws(CallFailure) -> Void
    ) throws -> UInt64 {
        let before = execution.gasLeft
        try body()
        return before - execution.gasLeft
    }

    @Test("keys keep their places, however many there are", arguments: [0, 1, 8, 9, 10, 200])
    func places(count: Int) {
        var map = SmallMap<Int, String>(capacity: 2)
        for index in 0..<count {
            #expect(map.place(of: index * 3) == nil)
            #expect(map.append(index * 3, "\(index)") == index)
        }
        for index in 0..<count {
            #expect(map.place(of: index * 3) == index)
            #expect(map.place(of: index * 3 + 1) == nil)
            map[index] += "!"
        }
        #expect(map.all.map(\.key) == (0..<count).map { $0 * 3 })
        #expect(map.all.map(\.value) == (0..<count).map { "\($0)!" })
    }

    @Test("slots are cold once, and cold again where it was taken back", arguments: [1, 8, 9, 40])
    func slots(count: Int) throws {
        let execution = execution([key(0): 7])
        let start = execution.snapshot
        for _ in 0..<2 {
            for index in 0..<count {
                #expect(
                    try gas(execution) { () throws(CallFailure) in
                        _ = try execution.load(key(index))
                    } == GasSchedule.coldSlot
                )
            }
            for index in 0..<count {
                #expect(
                    try gas(execution) { () throws(CallFailure) in
                        _ = try execution.load(key(index))
                    } == GasSchedule.warmAccess
                )
            }
            for index in 0..<count {
                try execution.store(key(index), UInt256(UInt64(index + 100)))
                execution.put(key(index + 1_000), 1)
            }
            #expect(execution.changes.count == 2 * count)
            #expect(execution.peek(key(0)) == 100)
            execution.revert(to: start)
            #expect(execution.changes.isEmpty)
            #expect(execution.peek(key(0)) == 7)
            #expect(execution.peek(key(1)) == 0)
        }
    }

    @Test("accounts are cold once, and cold again where it was taken back", arguments: [1, 8, 40])
    func accounts(count: Int) throws {
        let execution = execution()
        execution.announce(TestChain.address(0))
        let start = execution.snapshot
        for _ in 0..<2 {
            for wanted in [GasSchedule.coldAccount, GasSchedule.warmAccess] {
                for index in 1...count {
                    #expect(
                        try gas(execution) { () throws(CallFailure) in
                            try execution.touch(TestChain.address(UInt64(index)))
                        } == wanted
                    )
                }
            }
            #expect(
                try gas(execution) { () throws(CallFailure) in
                    try execution.touch(TestChain.address(0))
                } == GasSchedule.warmAccess
            )
            execution.revert(to: start)
        }
    }

    @Test("transient values cost the same each time, are taken back, and are no changes")
    func transients() throws {
        let execution = execution()
        #expect(try execution.transient(key(1)) == .zero)
        try execution.setTransient(key(1), 5)
        let snapshot = execution.snapshot
        #expect(
            try gas(execution) { () throws(CallFailure) in
                try execution.setTransient(key(1), 6)
                try execution.setTransient(key(2), 7)
                _ = try execution.transient(key(1))
            } == 3 * GasSchedule.transientAccess
        )
        #expect(try execution.transient(key(1)) == 6)
        execution.revert(to: snapshot)
        #expect(try execution.transient(key(1)) == 5)
        #expect(try execution.transient(key(2)) == .zero)
        #expect(execution.changes.isEmpty)
        #expect(execution.peek(key(1)) == .zero)
    }
}
