import CSecp256k1
import Ethereum
import EthereumWallet
import ZeroEx

/// Verifying an order (hash, recovery, address) against a bare `secp256k1_ecdsa_recover` of the
/// same signatures, on one core and on all of them.
struct VerificationBenchmark {
    private static let orderCount = 2_000
    private static let rounds = 7

    private let orders: [SignedOrderV1]
    private let inputs: [Input]
    /// How many tasks share what is spread over all cores.
    private let cores: Int

    init(cores: Int) throws {
        orders = try Self.makeOrders(count: Self.orderCount)
        inputs = Self.parsedInputs(orders)
        self.cores = cores
    }

    /// What one bare recovery takes now, spread over all cores.
    func sharedRecovery() async throws -> Duration {
        try await Self.shared(inputs, cores: cores, work: Self.recover) / Self.orderCount
    }

    func run() async throws -> [Measurement] {
        var bareTimes: [Duration] = []
        var ratios: [Double] = []
        var sharedRatios: [Double] = []
        // Both sides are measured in turn, so that a slow moment of the machine hits both.
        for _ in 0..<Self.rounds {
            let bare = ContinuousClock().measure { Self.recover(inputs[...]) }
            let ours = try Self.verifications(orders)
            bareTimes.append(bare)
            ratios.append(ours / bare)
            let sharedBare = try await Self.shared(inputs, cores: cores, work: Self.recover)
            let sharedOurs = try await Self.shared(orders, cores: cores, work: Self.verify)
            sharedRatios.append(sharedOurs / sharedBare)
        }
        let ratio = ratios.sorted()[Self.rounds / 2]
        let sharedRatio = sharedRatios.sorted()[Self.rounds / 2]
        let recovery = median(bareTimes) / Self.orderCount
        return [
            Measurement(
                name: "verify an order, one core / bare recover",
                figure: "\(decimals(recovery / .microseconds(1) * ratio, 1)) us an order",
                ratio: ratio,
                limit: 1.15
            ),
            Measurement(
                name: "verify an order, \(cores) cores / bare recover, \(cores) cores",
                figure: "\(decimals(sharedRatio * 100, 0)) % of the time",
                ratio: sharedRatio,
                limit: 1.15
            ),
        ]
    }

    private static let exchange = Address.zero

    private static func makeOrders(count: Int) throws -> [SignedOrderV1] {
        guard let key = Bytes32(bytes: [UInt8](repeating: 7, count: 32)) else { return [] }
        let signer = try PrivateKeySigner(key: key)
        return try (0..<count).map { index in
            let terms = OrderDraft(
                exchange: exchange,
                maker: signer.address,
                makerToken: Address(truncating: UInt256(UInt64(index) + 1).word),
                takerToken: Address(truncating: UInt256(UInt64(index) + 2).word),
                makerAmount: 1_000_000_000_000_000_000,
                takerAmount: UInt256(UInt64(index) + 1),
                expiry: 2_000_000_000,
                salt: UInt256(UInt64(index))
            )
            let digest = EthereumMessage.hash(ZeroExV1().hash(of: terms).word.bytes)
            return SignedOrderV1(terms: terms, signature: try signer.signature(over: digest))
        }
    }

    /// A parsed signature and the 32 bytes that were signed: what a bare recovery is given.
    private struct Input: Sendable {
        let signature: secp256k1_ecdsa_recoverable_signature
        let digest: [UInt8]
    }

    private static func parsedInputs(_ orders: [SignedOrderV1]) -> [Input] {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else {
            return []
        }
        defer { secp256k1_context_destroy(context) }
        return orders.map { order in
            var signature = secp256k1_ecdsa_recoverable_signature()
            let compact = order.signature.r.bytes + order.signature.s.bytes
            _ = secp256k1_ecdsa_recoverable_signature_parse_compact(
                context,
                &signature,
                compact,
                Int32(order.signature.yParity)
            )
            let digest = EthereumMessage.hash(order.hash.word.bytes).bytes
            return Input(signature: signature, digest: digest)
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

    /// Hashes and verifies each order anew from its terms, as after reading it from a relay.
    private static func verify(_ orders: ArraySlice<SignedOrderV1>) throws {
        let version = ZeroExV1()
        let recoverer = Secp256k1()
        for order in orders {
            let order = SignedOrderV1(terms: order.terms, signature: order.signature)
            try version.verify(order, exchange: exchange, recoverer: recoverer)
        }
    }

    private static func verifications(_ orders: [SignedOrderV1]) throws -> Duration {
        try ContinuousClock().measure { try verify(orders[...]) }
    }

    /// The time that some work on all orders takes when every core does its share.
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
