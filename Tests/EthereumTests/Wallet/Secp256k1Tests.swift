import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("secp256k1")
struct Secp256k1Tests {
    struct Vector: Sendable {
        let key: String
        let maker: Address
        let orderHash: Bytes32
        let signature: Signature
    }

    static func orders() throws -> [Vector] {
        try vectors("signatures").list("vectors").map { entry in
            let parts = try entry.member("ecSignature")
            let v = try #require(UInt8(parts.text("v")))
            let signature = Signature(
                r: try Bytes32(hex: parts.text("r")),
                s: try Bytes32(hex: parts.text("s")),
                yParity: v - 27
            )
            return Vector(
                key: try entry.text("privateKey"),
                maker: try Address(entry.text("maker")),
                orderHash: try Bytes32(hex: entry.text("orderHash")),
                signature: try #require(signature)
            )
        }
    }

    @Test("40 orders that the 0x v1 contract accepted are signed bit by bit as they were")
    func signsOrders() throws {
        let orders = try Self.orders()
        #expect(orders.count == 40)
        for order in orders {
            let signer = try PrivateKeySigner(hex: order.key)
            #expect(signer.address == order.maker)
            let digest = EthereumMessage.hash(order.orderHash.bytes)
            #expect(try signer.signature(over: digest) == order.signature)
            #expect(
                try Secp256k1().recover(digest: digest, signature: order.signature) == order.maker
            )
        }
    }

    private static let order: UInt256 =
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141

    @Test("the mirrored signature, whose s is high, recovers the same account as ecrecover does")
    func highS() throws {
        for order in try Self.orders() {
            let digest = EthereumMessage.hash(order.orderHash)
            let mirrored = try #require(
                Signature(
                    r: order.signature.r,
                    s: (Self.order - UInt256(order.signature.s)).word,
                    yParity: 1 - order.signature.yParity
                )
            )
            #expect(!mirrored.hasLowS)
            #expect(try Secp256k1().recover(digest: digest, signature: mirrored) == order.maker)
        }
    }

    @Test("r and s of zero or from the group's order on are out of range")
    func outOfRange() throws {
        let digest = Keccak256.hash([1])
        let outside: [UInt256] = [.zero, Self.order, Self.order + 1, .max]
        for value in outside {
            for (r, s) in [(value, 1), (1, value), (value, value)] as [(UInt256, UInt256)] {
                let signature = try #require(Signature(r: r.word, s: s.word, yParity: 0))
                #expect(throws: SignatureError.outOfRange) {
                    try Secp256k1().recover(digest: digest, signature: signature)
                }
            }
        }
    }

    @Test("an r that is no point's x coordinate has no signer")
    func noSigner() throws {
        // 5^3 + 7 is not a square modulo the field's prime.
        let signature = try #require(Signature(r: UInt256(5).word, s: UInt256(1).word, yParity: 0))
        #expect(throws: SignatureError.noSigner) {
            try Secp256k1().recover(digest: Keccak256.hash([1]), signature: signature)
        }
    }

    @Test("a point at infinity has no signer")
    func infinity() throws {
        // With s = digest and r the generator's x, the key would be (s * G - digest * G) / r.
        let generator: UInt256 =
            0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798
        let digest = UInt256(7).word
        let signature = try #require(Signature(r: generator.word, s: digest, yParity: 0))
        #expect(throws: SignatureError.noSigner) {
            try Secp256k1().recover(digest: digest, signature: signature)
        }
    }

    @Test("every bit flip of a signature or a digest recovers another account or none")
    func bitFlips() throws {
        let order = try #require(try Self.orders().first)
        let digest = EthereumMessage.hash(order.orderHash)
        for bit in 0..<256 {
            let mask = UInt256(1) << bit
            let r = (UInt256(order.signature.r) ^ mask).word
            let s = (UInt256(order.signature.s) ^ mask).word
            let parity = order.signature.yParity
            let other = (UInt256(digest) ^ mask).word
            let attempts: [(Bytes32, Signature?)] = [
                (digest, Signature(r: r, s: order.signature.s, yParity: parity)),
                (digest, Signature(r: order.signature.r, s: s, yParity: parity)),
                (other, order.signature),
            ]
            for (digest, signature) in attempts {
                let signature = try #require(signature)
                let account = try? Secp256k1().recover(digest: digest, signature: signature)
                #expect(account != order.maker)
            }
        }
    }

    @Test("many threads sign and recover at once through the one context")
    func concurrent() async throws {
        let orders = try Self.orders()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for order in orders {
                        let digest = EthereumMessage.hash(order.orderHash)
                        let signer = try? PrivateKeySigner(hex: order.key)
                        #expect((try? signer?.signature(over: digest)) == order.signature)
                        let account = try? Secp256k1().recover(
                            digest: digest,
                            signature: order.signature
                        )
                        #expect(account == order.maker)
                    }
                }
            }
        }
    }

    @Test("a signature's parity is 0 or 1, its v 27 or 28")
    func parity() {
        #expect(Signature(r: .zero, s: .zero, yParity: 0)?.v == 27)
        #expect(Signature(r: .zero, s: .zero, yParity: 1)?.v == 28)
        for parity in [2, 27, 28, 255] as [UInt8] {
            #expect(Signature(r: .zero, s: .zero, yParity: parity) == nil)
        }
    }

    @Test("each error is a sentence")
    func sentences() {
        #expect(
            "\(SignatureError.outOfRange)"
                == "The signature's r or s is zero or beyond the group's order."
        )
        #expect("\(SignatureError.noSigner)" == "No key can have made this signature.")
    }
}
