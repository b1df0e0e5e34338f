import Ethereum
import EthereumWallet
import Testing

@testable import ZeroEx

@Suite("Permit2 messages of swaps")
struct SwapPermitTests {
    /// 0x's documentation: a message of its sample, and its hash.
    private static let published = SwapPermit(
        chainID: 1,
        contract: ZeroExSwapContracts.permit2,
        token: Address(
            truncating: UInt256(0xc02a_aa39_b223_fe8d_0a0e_5c4f_27ea_d908_3c75_6cc2).word
        ),
        amount: 100_000_000_000_000_000_000_000,
        spender: Address(
            truncating: UInt256(0x0d0e_364a_a785_2291_883c_162b_22d6_d81f_6355_428f).word
        ),
        nonce: 2_241_959_297_937_691_820_908_574_931_991_559,
        deadline: 1_739_918_089
    )

    @Test("a published message has the published hash, by both ways to compute it")
    func knownAnswer() throws {
        let hash = "0xafb2c83591d83ec04d0792eaa00d36f5a509dfab6666fa787e310afa276bf379"
        #expect(Self.published.hash.hex == hash)
        let typed = try #require(Self.published.typedData)
        #expect(typed.digest.hex == hash)
        #expect(
            typed.types.typeHash(of: "PermitTransferFrom")?.hex
                == "0x939c21a48a8dbe3a9a2404a1d46691e4d39f6583d6ec6b35714604c986d80106"
        )
        #expect(
            typed.types.typeHash(of: "TokenPermissions")?.hex
                == "0x618358ac3db8dc274f0cd8829da7e234bd48cd73c4a740aede1adec9846d06a1"
        )
        #expect(
            Keccak256.hash(typed.domain.encodedType.utf8).hex
                == "0x8cad95687ba82c2ce50e74f7b754645e5117c3a5bec8151c0726d5857980a866"
        )
        #expect(try TypedData(json: typed.json).digest.hex == hash)
    }

    @Test("a genuine quote has a message to sign; other kinds have none")
    func genuine() throws {
        let sample = try SwapSample.permit()
        #expect(try SwapSample.rules.permit(of: sample.quote, sample.terms) == sample.quote.permit)
        for other in try SwapSample.all() where other.terms.request.payment == .allowance {
            #expect(try SwapSample.rules.permit(of: other.quote, other.terms) == nil)
        }
    }

    @Test("a native sell and an unwrap through Permit2 need no message, and none is signed")
    func native() throws {
        let message = try SwapSample.permit().quote.permit
        for var sample in [
            try SwapSample.holder("", .native, .token(SwapSample.bought)), SwapSample.unwrap(),
        ] {
            sample.terms.request.payment = .permit
            #expect(try SwapSample.rules.permit(of: sample.quote, sample.terms) == nil)
            sample.quote.permit = message
            #expect(throws: fault("permit2", "none", "a message")) {
                _ = try SwapSample.rules.permit(of: sample.quote, sample.terms)
            }
        }
    }

    /// A name and a change.
    private typealias Change = @Sendable (inout SwapPermit) -> Void
    private static let wrongParts: [(String, Change)] = [
        ("message.permitted.token", { $0.token = SwapSample.bought }),
        ("message.permitted.amount", { $0.amount = SwapSample.sells - 1 }),
        ("message.permitted.amount", { $0.amount = SwapSample.sells + 1 }),
        ("message.permitted.amount", { $0.amount = .max }),
        ("message.spender", { $0.spender = SwapSample.attacker }),
        ("message.spender", { $0.spender = SwapSample.previous }),
        ("message.deadline", { $0.deadline = UInt256(SwapSample.now) }),
        ("message.deadline", { $0.deadline = UInt256(SwapSample.now + 601) }),
        ("message.deadline", { $0.deadline = .max }),
        ("domain.chainId", { $0.chainID = 137 }),
        ("domain.verifyingContract", { $0.contract = SwapSample.attacker }),
    ]

    @Test("every wrong part of a message is refused, though its hash fits", arguments: wrongParts)
    private func wrong(_ field: String, _ change: Change) throws {
        var sample = try SwapSample.permit()
        var permit = try #require(sample.quote.permit)
        change(&permit)
        sample.quote.permit = permit
        sample.quote.permitHash = permit.hash
        let error = #expect(throws: QuoteFault.self) {
            _ = try SwapSample.rules.permit(of: sample.quote, sample.terms)
        }
        guard case .counterfeit("permit2.eip712.\(field)", _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("the last second of ten minutes is accepted")
    func lastSecond() throws {
        var sample = try SwapSample.permit()
        sample.quote.permit?.deadline = UInt256(SwapSample.now + 600)
        sample.quote.permitHash = sample.quote.permit?.hash
        #expect(try SwapSample.rules.permit(of: sample.quote, sample.terms) != nil)
        sample.terms.now = .max
        sample.quote.permit?.deadline = .max
        sample.quote.permitHash = sample.quote.permit?.hash
        #expect(throws: QuoteFault.self) {
            _ = try SwapSample.rules.permit(of: sample.quote, sample.terms)
        }
    }

    @Test("an amount that was not confirmed is refused, though the quote says the same")
    func unconfirmed() throws {
        var sample = try SwapSample.permit()
        sample.terms.maximum = SwapSample.sells - 1
        #expect(
            throws: fault(
                "permit2.eip712.message.permitted.amount",
                "at most 989999",
                "990000"
            )
        ) { _ = try SwapSample.rules.permit(of: sample.quote, sample.terms) }
    }

    @Test("a missing message, a missing hash and another hash are refused")
    func hash() throws {
        let sample = try SwapSample.permit()
        var quote = sample.quote
        quote.permit = nil
        #expect(throws: fault("permit2", "a message", "none")) {
            _ = try SwapSample.rules.permit(of: quote, sample.terms)
        }
        let hash = try #require(sample.quote.permitHash)
        quote = sample.quote
        quote.permitHash = nil
        #expect(throws: fault("permit2.hash", hash.hex, "none")) {
            _ = try SwapSample.rules.permit(of: quote, sample.terms)
        }
        quote.permitHash = .zero
        #expect(throws: fault("permit2.hash", hash.hex, Bytes32.zero.hex)) {
            _ = try SwapSample.rules.permit(of: quote, sample.terms)
        }
    }

    @Test("97 bytes are appended: the length in a word, then r, s and v")
    func appended() async throws {
        let sample = try SwapSample.permit()
        let signer = try PrivateKeySigner(hex: SampleOrder.key)
        let digest = try #require(sample.quote.permit?.hash)
        let signature = try await signer.sign(digest: digest)
        let call = SwapSample.rules.call(sample.quote.call, signature: signature)
        #expect(call.to == sample.quote.call.to && call.value == sample.quote.call.value)
        let tail = UInt256(65).bigEndianBytes + signature.r.bytes + signature.s.bytes
        #expect(call.data == sample.quote.call.data + tail + [signature.v])
        #expect(signature.v == 27 || signature.v == 28)
    }

    @Test("s of the upper half is brought to the lower one, by the same key")
    func upperHalf() async throws {
        let sample = try SwapSample.permit()
        let signer = try PrivateKeySigner(hex: SampleOrder.key)
        let digest = try #require(sample.quote.permit?.hash)
        let signature = try await signer.sign(digest: digest)
        let order: UInt256 =
            0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141
        let mirrored = try #require(
            Signature(
                r: signature.r,
                s: (order - UInt256(signature.s)).word,
                yParity: signature.yParity ^ 1
            )
        )
        let call = SwapSample.rules.call(sample.quote.call, signature: signature)
        #expect(SwapSample.rules.call(sample.quote.call, signature: mirrored) == call)
        let beyond = try #require(Signature(r: signature.r, s: UInt256.max.word, yParity: 0))
        let kept = SwapSample.rules.call(sample.quote.call, signature: beyond)
        #expect(kept.data.suffix(33) == UInt256.max.bigEndianBytes + [27])
    }

    private func fault(_ field: String, _ expected: String, _ found: String) -> QuoteFault {
        .counterfeit(field: field, expected: expected, found: found)
    }
}
