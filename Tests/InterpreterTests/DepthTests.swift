import EVM
import Ethereum
import Foundation
import Testing

/// What hostile code does to a thread and to memory.
@Suite("Limits of the interpreter")
struct DepthTests {
    private static let contract = Address(truncating: UInt256(0xC0DE).word)
    private static let sender = Address(truncating: UInt256(0x5E4D).word)

    private static func run(_ code: [UInt8], gas: UInt64) throws -> Execution.Outcome {
        let state = MemoryState()
        state.put(sender, balance: .max)
        state.put(contract, nonce: 1, code: code)
        let block = BlockContext(chainID: 1, number: 1, timestamp: 1, gasLimit: gas)
        let execution = Execution(state, .prague, recoverer: InterpreterCase.recoverer)
        let message = Message(sender: sender, to: contract, gasLimit: gas)
        return try execution.run(message, in: block)
    }

    /// A call of itself with all gas that counts in transient storage, which is the answer.
    private static let recursive = "0x5f5c6001015f5d5f5f5f5f5f305af1505f5c5f5260205ff3"

    @Test("1,024 calls inside each other fit the small stack of a task's thread")
    func recursion() async throws {
        let code = try Hex.decode(Self.recursive)
        // What Swift's tasks have; the main thread has 8 MB.
        let outcome = try await Self.onThread(ofStack: 512 << 10) {
            try Self.run(code, gas: 1 << 42)
        }
        #expect(outcome.ending == .succeeded)
        #expect(UInt256(bigEndian: outcome.output) == 1_025)
    }

    @Test("1,024 creations inside each other, too")
    func creations() async throws {
        // Its own code is what it creates: CODECOPY all of it, CREATE, and return nothing.
        let code = try Hex.decode("0x385f5f39" + "385f5ff050" + "5f5ff3")
        let outcome = try await Self.onThread(ofStack: 512 << 10) {
            try Self.run(code, gas: 1 << 42)
        }
        #expect(outcome.ending == .succeeded)
    }

    @Test("memory is asked for only after it was paid")
    func memoryBombs() throws {
        for code in [
            // MSTORE8 at 2^32, 2^63 and 2^256 - 1; a copy of 2^40 bytes; KECCAK256 of 2^33 bytes
            "0x5f64010000000053", "0x5f67800000000000000053",
            "0x5f7f" + String(repeating: "ff", count: 32) + "53",
            "0x650100000000005f5f37", "0x6402000000005f20",
        ] {
            let outcome = try Self.run(try Hex.decode(code), gas: 16_000_000)
            #expect(outcome.ending == .failed, "\(code)")
            #expect(outcome.gasUsed == 16_000_000)
        }
    }

    @Test("a modular power asks for no memory that nobody paid")
    func powerBombs() throws {
        // Lengths of 1, 2^28 and 1 in memory; then calls with 2,000 gas each until all is gone.
        let code = try Hex.decode(
            "0x60015f52" + "6310000000602052" + "6001604052"
                + "5b" + "5f5f60605f5f60056107d0f150" + "601156"
        )
        let outcome = try Self.run(code, gas: 16_000_000)
        #expect(outcome.ending == .failed)
    }

    @Test("one execution in each of many tasks gives the same answer")
    func manyTasks() async throws {
        let code = try Hex.decode(Self.recursive)
        let used = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<16 {
                group.addTask { try Self.run(code, gas: 3_000_000).gasUsed }
            }
            var used: Set<UInt64> = []
            for try await gas in group { used.insert(gas) }
            return used
        }
        #expect(used.count == 1)
    }

    private static func onThread<Value: Sendable>(
        ofStack size: Int,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = size
            thread.start()
        }
    }
}
