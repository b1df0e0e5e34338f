import Ethereum
import Synchronization
import Testing

@testable import DexSandbox

@Suite("Signers that the sandbox remembers")
struct RememberingRecovererTests {
    /// Counts what it is asked, and knows no signer of a digest of zeros.
    private final class Counter: SignatureRecovering {
        let questions = Mutex(0)

        func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address {
            questions.withLock { $0 += 1 }
            guard digest != .zero else { throw .noSigner }
            return Address(truncating: digest)
        }
    }

    private let counter = Counter()
    private let signature: Signature
    private let other: Signature

    init() throws {
        let one = UInt256(1).word
        signature = try #require(Signature(r: one, s: one, yParity: 0))
        other = try #require(Signature(r: one, s: one, yParity: 1))
    }

    private func digest(_ number: UInt64) -> Bytes32 {
        UInt256(number).word
    }

    @Test("each signature is worked out once, by digest and all of its parts")
    func once() throws {
        let recoverer = RememberingRecoverer(counter)
        for _ in 0..<3 {
            for number: UInt64 in 1...2 {
                let expected = Address(truncating: digest(number))
                #expect(
                    try recoverer.recover(digest: digest(number), signature: signature) == expected
                )
                #expect(try recoverer.recover(digest: digest(number), signature: other) == expected)
            }
        }
        #expect(counter.questions.withLock { $0 } == 4)
    }

    @Test("what has no signer has none again")
    func failure() {
        let recoverer = RememberingRecoverer(counter)
        for _ in 0..<2 {
            #expect(throws: SignatureError.noSigner) {
                try recoverer.recover(digest: .zero, signature: signature)
            }
        }
    }

    @Test("beyond the limit all are forgotten, and answers stay right")
    func limit() throws {
        let recoverer = RememberingRecoverer(counter, limit: 2)
        for number: UInt64 in [1, 2, 3, 1, 3] {
            let found = try recoverer.recover(digest: digest(number), signature: signature)
            #expect(found == Address(truncating: digest(number)))
        }
        #expect(counter.questions.withLock { $0 } == 4)
    }
}
