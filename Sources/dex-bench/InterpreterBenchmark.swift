import EVM
import Ethereum
import EthereumWallet

/// The interpreter of the EVM: loops that use up their gas, fills and a swap; against limits of its
/// own, and against revm through pyrevm in the same run.
enum InterpreterBenchmark {
    /// Millions of units of gas a second.
    private static let minimumSpeed = 1_000.0
    private static let maximumTimes: [String: Duration] = [
        "a 0x v1 fill": .microseconds(100), "a Uniswap v3 swap": .microseconds(100),
    ]
    /// Of pyrevm's time.
    private static let maximumOfPeer = 1.0
    /// Short ones, so that one of them falls into a quiet moment of the machine.
    private static let runs = 200
    private static let loopRuns = 30

    /// - Parameter python: the environment of the tests, which makes the states and runs pyrevm.
    static func run(python: String) throws -> [Measurement] {
        try InterpreterCase.all(python: python).flatMap { measurements(of: $0, try time(of: $0)) }
    }

    /// The processor time of a case's call in a fresh state.
    private static func time(of item: InterpreterCase) throws -> Duration {
        let recoverer = Secp256k1()
        // Contracts are prepared for running once, as they are on the sandbox's chain.
        let codes = CodeCache()
        var best: Duration?
        for _ in 0..<(item.isEndless ? loopRuns : runs) {
            let execution = Execution(item.state, .cancun, recoverer: recoverer, codes: codes)
            let start = VerificationBenchmark.threadTime
            let outcome = try execution.call(item.message, price: item.price, in: item.block)
            let time = VerificationBenchmark.threadTime - start
            try item.check(outcome)
            best = min(best ?? time, time)
        }
        return best ?? .zero
    }

    private static func measurements(of item: InterpreterCase, _ time: Duration) -> [Measurement] {
        var measurements: [Measurement] = []
        if item.isEndless {
            let speed = item.speed(time)
            measurements.append(
                Measurement(
                    name: "EVM, \(item.name): \(decimals(minimumSpeed, 0)) Mgas/s / it",
                    figure: item.figure(time),
                    ratio: minimumSpeed / speed,
                    limit: 1
                )
            )
        } else if let maximum = maximumTimes[item.name] {
            measurements.append(
                Measurement(
                    name: "EVM, \(item.name) / \(microseconds(maximum))",
                    figure: item.figure(time),
                    ratio: time / maximum,
                    limit: 1
                )
            )
        }
        if let peer = item.peer {
            measurements.append(
                Measurement(
                    name: "EVM, \(item.name) / pyrevm (\(item.figure(peer.time)))",
                    figure: item.figure(time),
                    ratio: time / peer.time,
                    limit: maximumOfPeer
                )
            )
        }
        return measurements
    }
}
