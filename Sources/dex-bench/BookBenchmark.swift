import DexCore
import StrictJSON
import ZeroEx

/// `dex orderbook` end to end, against the sandbox over loopback.
///
/// It measures time against the recoveries of a book that is read first, and of one whose signatures
/// are in the cache; peak memory, and how both grow with the book.
struct BookBenchmark {
    static let orderCount = 10_000

    private static let rounds = 9

    /// The maximum time of a v4 book relative to a v1 book of the same size: its orders are twice
    /// as long on the wire, and come in pages.
    private static let limitBesideV1 = 1.5

    /// The maximum time of a book relative to its recoveries.
    ///
    /// The node of a v4 book decodes and hashes every order, here on the reader's own cores.
    private static func limit(_ version: ProtocolVersion) -> Double {
        switch version {
        case .v1: 1.5
        case .v4: 1.8
        }
    }

    /// The maximum time of a book that was verified before, relative to its recoveries.
    private static func limitAgain(_ version: ProtocolVersion) -> Double {
        switch version {
        case .v1: 0.45
        case .v4: 0.75
        }
    }

    /// - Parameter verifications: recover signatures of each protocol and do nothing else.
    static func run(
        binary: String,
        verifications: [ProtocolVersion: VerificationBenchmark]
    ) async throws -> [Measurement] {
        let half = try await measure(binary, orders: orderCount / 2, verifications)
        let full = try await measure(binary, orders: orderCount, verifications)
        var measurements: [Measurement] = []
        for version in ProtocolVersion.allCases {
            guard let half = half[version], let full = full[version] else { continue }
            measurements += compare(half, full, of: version)
        }
        guard let first = full[.v1], let fourth = full[.v4] else { return measurements }
        return measurements + [
            Measurement(
                name: "time of the v4 book / of the v1 book",
                figure: milliseconds(fourth.wall),
                ratio: fourth.wall / first.wall,
                limit: limitBesideV1
            )
        ]
    }

    private static func compare(
        _ half: Run,
        _ full: Run,
        of version: ProtocolVersion
    ) -> [Measurement] {
        let megabyte = 1_048_576.0
        return [
            Measurement(
                name: "book of \(full.received) \(version) orders / its recoveries",
                figure: milliseconds(full.wall),
                ratio: full.ratio,
                limit: limit(version)
            ),
            Measurement(
                name: "the \(version) book a second time / its recoveries",
                figure: milliseconds(full.again),
                ratio: full.ratioAgain,
                limit: limitAgain(version)
            ),
            Measurement(
                name: "book of \(full.received) \(version) orders: memory / 80 MiB",
                figure: "\(decimals(Double(full.peakMemory) / megabyte, 1)) MiB",
                ratio: Double(full.peakMemory) / megabyte / 80,
                limit: 1
            ),
            Measurement(
                name: "time of \(full.received) / 2 x time of \(half.received) \(version) orders",
                figure: "\(milliseconds(half.wall)) for half",
                ratio: full.wall / (half.wall * 2),
                limit: 1.1
            ),
        ]
    }

    private struct Run {
        let received: Int
        let wall: Duration
        /// Relative to the recoveries of all orders, spread over all cores.
        let ratio: Double
        /// The time of a command that finds every signature in the cache.
        let again: Duration
        let ratioAgain: Double
        let peakMemory: Int
    }

    /// The same book on both protocols of one sandbox.
    private static func measure(
        _ binary: String,
        orders: Int,
        _ verifications: [ProtocolVersion: VerificationBenchmark]
    ) async throws -> [ProtocolVersion: Run] {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: orders)
        var runs: [ProtocolVersion: Run] = [:]
        for (version, verification) in verifications {
            let network = try sandbox.network(version)
            runs[version] = try await measure(sandbox, network.name, verification)
        }
        try sandbox.stop()
        return runs
    }

    private static func measure(
        _ sandbox: BenchmarkSandbox,
        _ network: String,
        _ verification: VerificationBenchmark
    ) async throws -> Run {
        // As a trader types it; only the count uses the JSON form.
        let arguments = ["orderbook", "ZRX/WETH", "--network", network]
        let checked = try sandbox.run(arguments + ["--json", "--quiet"], keepsOutput: true)
        guard checked.exitCode == 0 else {
            throw ChildProcessError.exited(arguments, checked.exitCode)
        }
        let count = try JSONValue.data("receivedCount", of: checked.output)
        guard let received = count.numberText.flatMap({ Int($0) }), received > 0 else {
            throw ChildProcessError.noMember("receivedCount")
        }
        var walls: [Duration] = []
        var ratios: [Double] = []
        var agains: [Duration] = []
        var ratiosAgain: [Double] = []
        var peak = 0
        // All are measured in turn, so that a slow moment of the machine affects all.
        for _ in 0..<rounds {
            let recovery = try await verification.sharedRecovery()
            try sandbox.forgetSignatures()
            for isAgain in [false, true] {
                let child = try sandbox.run(arguments)
                guard child.exitCode == 0 else {
                    throw ChildProcessError.exited(arguments, child.exitCode)
                }
                peak = max(peak, child.peakMemory)
                let ratio = child.wall / (recovery * received)
                if isAgain {
                    agains.append(child.wall)
                    ratiosAgain.append(ratio)
                } else {
                    walls.append(child.wall)
                    ratios.append(ratio)
                }
            }
        }
        return Run(
            received: received,
            wall: median(walls),
            ratio: median(ratios),
            again: median(agains),
            ratioAgain: median(ratiosAgain),
            peakMemory: peak
        )
    }
}
