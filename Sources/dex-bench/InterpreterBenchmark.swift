import EVM
import Ethereum
import EthereumWallet
import StrictJSON

/// The interpreter of the EVM: loops that use up their gas, and a swap in a genuine pool.
enum InterpreterBenchmark {
    /// Millions of units of gas a second.
    private static let leastSpeed = 1_000.0
    private static let loopGas: UInt64 = 10_000_000
    private static let mostSwap = Duration.microseconds(100)
    private static let swaps = 20
    /// Short ones, so that one of them falls into a quiet moment of the machine.
    private static let runs = 100

    /// - Parameter python: the environment of the tests, which deploys the genuine contracts.
    static func run(python: String) throws -> [Measurement] {
        var measurements = try loops.map { try loop($0.name, $0.code) }
        measurements.append(try swap(python))
        return measurements
    }

    // MARK: Loops

    private static let loops: [(name: String, code: String)] = [
        // Counts: JUMPDEST PUSH1 1 ADD DUP1 PUSH4 ffffffff GT PUSH0 JUMPI, behind a PUSH0 that is the
        // counter.
        ("counting", "0x5f5b60010180" + "63ffffffff" + "11600157"),
        // The same with MUL, XOR, SHR, MSTORE and MLOAD of the counter.
        (
            "words and memory",
            "0x5f5b600101" + "80800281" + "1860031c" + "5f525f51" + "50" + "8063ffffffff"
                + "11600157"
        ),
        // The same with a warm SLOAD.
        ("reading storage", "0x5f5b600101" + "5f5450" + "8063ffffffff" + "11600157"),
    ]

    private static func loop(_ name: String, _ code: String) throws -> Measurement {
        let state = BenchmarkState()
        let contract = Address(truncating: UInt256(0xC0DE).word)
        state.put(contract, code: try Hex.decode(code))
        var best = 0.0
        for _ in 0..<runs {
            let execution = Execution(state, .osaka, recoverer: Secp256k1())
            var used: UInt64 = 0
            let time = try processorTime {
                used = try execution.call(contract, [], gas: loopGas, in: BenchmarkState.block)
                    .gasUsed
            }
            guard used == loopGas else { throw NotRun(what: name) }
            best = max(best, Double(used) / (time / .seconds(1)) / 1_000_000)
        }
        return Measurement(
            name: "EVM, \(name): \(decimals(leastSpeed, 0)) Mgas/s / it",
            figure: "\(decimals(best, 0)) Mgas/s",
            ratio: leastSpeed / best,
            limit: 1
        )
    }

    // MARK: A swap

    /// Runs the script's transactions, and then its first swap again and again.
    private static func swap(_ python: String) throws -> Measurement {
        let script = "Tests/Python/interpreter/genuine_trades.py"
        let child = try ChildProcess.run([python, script], keepsOutput: true)
        guard child.exitCode == 0 else {
            throw ChildProcessError.exited([python, script], child.exitCode)
        }
        let state = BenchmarkState()
        let sender = Address(truncating: UInt256(0x5E4D_E200).word)
        state.put(sender, nonce: 5, balance: UInt256(1) << 80)
        let execution = Execution(state, .prague, recoverer: Secp256k1())
        var nonce: UInt64 = 5
        for line in child.output.split(separator: "\n") {
            let step = try JSONParser.parse(line.utf8)
            let zeros = step["zeros"]?.numberText.flatMap { Int($0) } ?? 0
            let data =
                try Hex.decode("0x" + (step["data"]?.stringValue ?? ""))
                + Array(repeating: 0, count: zeros)
            let to = step["to"]?.stringValue.flatMap { Address(ifHex: $0) }
            if let to, step["name"]?.stringValue?.hasPrefix("swap of") == true {
                return try swap(execution, to, data, sender)
            }
            let message = Message(
                sender: sender,
                to: to,
                nonce: nonce,
                data: data,
                gasLimit: 16_000_000,
                maxFee: Wei(1)
            )
            _ = try execution.run(message, in: BenchmarkState.block)
            nonce += 1
        }
        throw NotRun(what: "the swap")
    }

    private static func swap(
        _ execution: Execution,
        _ router: Address,
        _ data: [UInt8],
        _ sender: Address
    ) throws -> Measurement {
        var best = Duration.seconds(1)
        var used: UInt64 = 0
        for _ in 0..<runs {
            let time = try processorTime {
                for _ in 0..<swaps {
                    let outcome = try execution.call(
                        router,
                        data,
                        from: sender,
                        in: BenchmarkState.block
                    )
                    guard outcome.ending == .succeeded else { throw NotRun(what: "the swap") }
                    used = outcome.gasUsed
                }
            }
            best = min(best, time / swaps)
        }
        return Measurement(
            name: "EVM, a genuine v3 swap / \(microseconds(mostSwap))",
            figure: "\(microseconds(best)) (\(used) gas)",
            ratio: best / mostSwap,
            limit: 1
        )
    }

    /// Of this thread: what else the machine does costs it little.
    private static func processorTime(_ work: () throws -> Void) rethrows -> Duration {
        let start = VerificationBenchmark.threadTime
        try work()
        return VerificationBenchmark.threadTime - start
    }

    private struct NotRun: Error, CustomStringConvertible {
        let what: String

        var description: String { "\(what) did not run as it should" }
    }
}

/// Accounts in memory, without storage.
private final class BenchmarkState: StateReader {
    private var records: [Address: AccountRecord] = [:]
    private var codes: [Bytes32: [UInt8]] = [:]

    static let block = BlockContext(
        chainID: 1,
        number: 1,
        timestamp: 1_800_000_000,
        gasLimit: 30_000_000
    )

    func put(
        _ address: Address,
        nonce: UInt64 = 1,
        balance: UInt256 = .zero,
        code: [UInt8] = []
    ) {
        let hash = Keccak256.hash(code)
        codes[hash] = code
        records[address] = AccountRecord(nonce: nonce, balance: Wei(balance), codeHash: hash)
    }

    func account(_ address: Address) -> Known<AccountRecord?> { .known(records[address]) }

    func code(_ hash: Bytes32) -> Known<[UInt8]> { codes[hash].map { .known($0) } ?? .unknown }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> { .known(.zero) }
}
