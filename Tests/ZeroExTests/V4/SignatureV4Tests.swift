import Ethereum
import EthereumWallet
import Testing

@testable import ZeroEx

@Suite("v4 signatures")
struct SignatureV4Tests {
    /// The order of the group of secp256k1.
    static let groupOrder: UInt256 =
        0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141

    @Test("a signature's twin with the high s, a wrong v and r or s out of range are refused")
    func malformedSignatures() async throws {
        let signer = try PrivateKeySigner(hex: SampleOrder.key)
        let hash = SamplesV4.limit.hash(in: SamplesV4.domain)
        for kind in SignatureKindV4.allCases {
            let made = try signer.signature(over: kind.digest(of: hash))
            let good = SignatureV4(made, kind: kind)
            #expect(try good.signer(of: hash, recoverer: Secp256k1()) == signer.address)
            var twin = good
            twin.s = (Self.groupOrder - UInt256(good.s)).word
            twin.v = 55 - good.v
            var bad: [(SignatureV4, SignatureErrorV4)] = [(twin, .highS)]
            for v in [0, 1, 26, 29, 255] as [UInt8] {
                bad.append((SignatureV4(type: good.type, v: v, r: good.r, s: good.s), .badV(v)))
            }
            for word in [.zero, Self.groupOrder.word, UInt256.max.word] as [Bytes32] {
                let error = word == .zero ? SignatureErrorV4.zero : SignatureErrorV4.tooLarge
                let r = SignatureV4(type: good.type, v: good.v, r: word, s: good.s)
                let s = SignatureV4(type: good.type, v: good.v, r: good.r, s: word)
                bad += [(r, error("r")), (s, error("s"))]
            }
            for (signature, error) in bad {
                #expect(throws: error) {
                    try signature.signer(of: hash, recoverer: Secp256k1())
                }
                #expect(error.code == 5)
            }
            // The other type names somebody else.
            var other = good
            other.type = 5 - good.type
            #expect(try other.signer(of: hash, recoverer: Secp256k1()) != signer.address)
        }
    }

    @Test("types of signatures that are not for orders are told apart as the contract does")
    func signatureTypes() {
        let hash = SamplesV4.limit.hash(in: SamplesV4.domain)
        let cases: [(UInt8, SignatureErrorV4, UInt8?, String)] = [
            (0, .illegalType, 3, "The signature is of type 0, which is illegal."),
            (1, .invalidType, 0, "The signature is of type 1, which is never valid."),
            (4, .preSigned, 2, "The signature is of type 4 (presigned), which is not for orders."),
            (
                5, .unknownType(5), nil,
                "The signature is of type 5; 2 (EIP712) or 3 (ETHSIGN) is expected."
            ),
            (
                255, .unknownType(255), nil,
                "The signature is of type 255; 2 (EIP712) or 3 (ETHSIGN) is expected."
            ),
        ]
        for (type, error, code, sentence) in cases {
            var signature = SamplesV4.signature
            signature.type = type
            #expect(throws: error) { try signature.signer(of: hash, recoverer: Secp256k1()) }
            #expect(error.code == code)
            #expect(error.description == sentence)
        }
        let sentences: [(SignatureErrorV4, String)] = [
            (.badV(29), "The signature's v is 29; 27 or 28 is expected."),
            (.highS, "The signature's s is in the upper half, which 0x v4 does not take."),
            (.zero("r"), "The signature's r is zero."),
            (.tooLarge("s"), "The signature's s is beyond the group's order."),
            (.noSigner, "No key can have made this signature."),
        ]
        for (error, sentence) in sentences { #expect(error.description == sentence) }
    }

    @Test("nothing is made of a signer's answer with a high s")
    func highSFromSigner() async throws {
        let signer = HighSigner(inner: try PrivateKeySigner(hex: SampleOrder.key))
        await #expect(
            throws: SignerError.refused(
                "its signature has an s in the upper half, which 0x v4 does not take."
            )
        ) {
            try await SignedOrderV4.sign(
                SamplesV4.limit,
                in: SamplesV4.domain,
                kind: .eip712,
                with: signer
            )
        }
    }
}

/// A key that answers with the twin of each signature.
private struct HighSigner: Signer {
    let inner: PrivateKeySigner

    var address: Address { inner.address }

    func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        let low = try await inner.sign(digest: digest)
        let twin = Signature(
            r: low.r,
            s: (SignatureV4Tests.groupOrder - UInt256(low.s)).word,
            yParity: 1 - low.yParity
        )
        return twin ?? low
    }
}
