import Ethereum
import EthereumWallet

/// Signatures of a maker whose public key a relay knows, against a bare recovery in the same run.
struct KnownMakerBenchmark {
    private static let batch = 16
    private static let batches = 128
    private static let maximum = 0.4

    /// - Parameter recovery: the processor time of a bare recovery.
    static func run(recovery: Duration) throws -> Measurement {
        let signer = try PrivateKeySigner(key: UInt256(0x1111).word)
        let claims = try (0..<UInt64(batches * batch)).map { number in
            let digest = Keccak256.hash(UInt256(number).bigEndianBytes)
            return SignatureClaim(
                digest: digest,
                signature: try signer.signature(over: digest),
                signer: signer.address
            )
        }
        let verifier = SignatureVerifier()
        // The first ones make it known.
        try require(verifier.outcomes(of: claims))
        let start = VerificationBenchmark.threadTime
        for first in stride(from: 0, to: claims.count, by: batch) {
            try require(verifier.outcomes(of: Array(claims[first..<first + batch])))
        }
        let each = (VerificationBenchmark.threadTime - start) / claims.count
        return Measurement(
            name: "a known maker's signature, \(batch) at once / bare recover",
            figure: "\(decimals(each / .microseconds(1), 1)) us",
            ratio: each / recovery,
            limit: maximum
        )
    }

    private static func require(_ outcomes: [SignatureOutcome]) throws {
        guard outcomes.allSatisfy({ $0 == .signed }) else { throw WrongOutcome() }
    }

    private struct WrongOutcome: Error, CustomStringConvertible {
        var description: String { "A true signature was not confirmed." }
    }
}
