import CProcess
import CSecp256k1
import Ethereum
import Glibc
import ZeroEx

/// Verification of an order (hash, recovery, address) against a bare `secp256k1_ecdsa_recover`.
///
/// Both use the same signatures of one protocol, on one core and on all of them.
struct VerificationBenchmark {
    private static let orderCount = 2_000
    private static let rounds = 7

    private let samples: VerificationSamples
    private let inputs: [Input]
    /// The number of tasks for work on all cores.
    private let cores: Int

    init(_ version: ProtocolVersion, cores: Int) async throws {
        samples = try await VerificationSamples(version, count: Self.orderCount)
        inputs = Self.parsedInputs(samples)
        self.cores = cores
    }

    /// The current time of one bare recovery, spread over all cores.
    func sharedRecovery() async throws -> Duration {
        try await Self.shared(inputs, cores: cores, work: Self.recover) / Self.orderCount
    }

    /// The processor time of one bare recovery on one core.
    var recoveryProcessorTime: Duration {
        median((0..<Self.rounds).map { _ in processorTimeOfOnePass })
    }

    /// The same, measured once.
    var processorTimeOfOnePass: Duration {
        let start = Self.threadTime
        Self.recover(inputs[...])
        return (Self.threadTime - start) / Self.orderCount
    }

    /// The processor time of this thread until now.
    static var threadTime: Duration {
        let time = dex_clock(CLOCK_THREAD_CPUTIME_ID)
        return .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
    }

    func run() async throws -> [Measurement] {
        var bareTimes: [Duration] = []
        var ratios: [Double] = []
        var sharedRatios: [Double] = []
        // Both sides are measured in turn, so that a slow moment of the machine affects both.
        for _ in 0..<Self.rounds {
            let bare = ContinuousClock().measure { Self.recover(inputs[...]) }
            let ours = try ContinuousClock().measure { try samples.verify(samples.orders[...]) }
            bareTimes.append(bare)
            ratios.append(ours / bare)
            let sharedBare = try await Self.shared(inputs, cores: cores, work: Self.recover)
            let sharedOurs = try await Self.shared(
                samples.orders,
                cores: cores,
                work: samples.verify
            )
            sharedRatios.append(sharedOurs / sharedBare)
        }
        let ratio = median(ratios)
        let sharedRatio = median(sharedRatios)
        let recovery = median(bareTimes) / Self.orderCount
        return [
            Measurement(
                name: "verify a \(samples.version) order, one core / bare recover",
                figure: "\(decimals(recovery / .microseconds(1) * ratio, 1)) us an order",
                ratio: ratio,
                limit: 1.15
            ),
            Measurement(
                name: "verify a \(samples.version) order / bare recover, \(cores) cores",
                figure: "\(decimals(sharedRatio * 100, 0)) % of the time",
                ratio: sharedRatio,
                limit: 1.15
            ),
        ]
    }

    /// The input of a bare recovery: a parsed signature and the signed 32 bytes.
    private struct Input: Sendable {
        let signature: secp256k1_ecdsa_recoverable_signature
        let digest: [UInt8]
    }

    private static func parsedInputs(_ samples: VerificationSamples) -> [Input] {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else {
            return []
        }
        defer { secp256k1_context_destroy(context) }
        return samples.signatures.map { digest, signed in
            var signature = secp256k1_ecdsa_recoverable_signature()
            let compact = signed.r.bytes + signed.s.bytes
            _ = secp256k1_ecdsa_recoverable_signature_parse_compact(
                context,
                &signature,
                compact,
                Int32(signed.yParity)
            )
            return Input(signature: signature, digest: digest.bytes)
        }
    }

    private static func recover(_ inputs: ArraySlice<Input>) {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { return }
        defer { secp256k1_context_destroy(context) }
        var key = secp256k1_pubkey()
        for input in inputs {
            var signature = input.signature
            _ = secp256k1_ecdsa_recover(context, &key, &signature, input.digest)
        }
    }

    /// The time of work on all orders if every core does its share.
    private static func shared<Element: Sendable>(
        _ orders: [Element],
        cores: Int,
        work: @escaping @Sendable (ArraySlice<Element>) throws -> Void
    ) async throws -> Duration {
        let chunk = (orders.count + cores - 1) / cores
        return try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for start in stride(from: 0, to: orders.count, by: chunk) {
                    group.addTask { try work(orders[start..<min(start + chunk, orders.count)]) }
                }
                try await group.waitForAll()
            }
        }
    }
}
