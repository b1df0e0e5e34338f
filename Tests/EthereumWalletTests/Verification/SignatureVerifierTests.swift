import DexTestSupport
import Ethereum
import Testing

@testable import EthereumWallet

/// Every outcome is compared with what libsecp256k1 recovers.
@Suite("Signatures of accounts that are known, or not")
struct SignatureVerifierTests {
    /// The order of the group.
    private static let order = Bytes32(
        limbs: (
            0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE,
            0xBAAE_DCE6_AF48_A03B, 0xBFD2_5E8C_D036_4141
        )
    )

    private static let largest = Bytes32(limbs: (.max, .max, .max, .max))

    private static func word(_ number: UInt64) -> Bytes32 { UInt256(number).word }

    private static func less(_ number: UInt64) -> Bytes32 {
        (UInt256(order) - UInt256(number)).word
    }

    private static func claim(
        _ signer: PrivateKeySigner,
        _ digest: Bytes32
    ) async throws -> SignatureClaim {
        SignatureClaim(
            digest: digest,
            signature: try await signer.sign(digest: digest),
            signer: signer.address
        )
    }

    /// What libsecp256k1 says of a claim.
    private static func judged(_ claim: SignatureClaim) -> SignatureOutcome {
        do throws(SignatureError) {
            let signer = try Secp256k1().recover(
                digest: claim.digest,
                signature: claim.signature
            )
            return signer == claim.signer ? .signed : .otherSigner(signer)
        } catch {
            return .invalid(error)
        }
    }

    /// A verifier that has a table of each of these accounts.
    private static func verifier(
        knowing signers: [PrivateKeySigner],
        limits: KnownAccounts.Limits = KnownAccounts.Limits()
    ) async throws -> SignatureVerifier {
        let verifier = SignatureVerifier(limits: limits)
        for signer in signers {
            for number in 1...UInt64(limits.confirmations) {
                let claim = try await claim(signer, word(number))
                #expect(verifier.outcomes(of: [claim]) == [.signed])
            }
        }
        return verifier
    }

    /// True claims about digests of all kinds, and each spoiled in every way.
    private static func claims(
        of signers: [PrivateKeySigner],
        _ generator: inout SeededGenerator
    ) async throws -> (sound: [SignatureClaim], spoiled: [SignatureClaim]) {
        var sound: [SignatureClaim] = []
        var spoiled: [SignatureClaim] = []
        let random = try (0..<20).map { _ in
            try #require(Bytes32(bytes: generator.bytes(32)))
        }
        let digests = [.zero, word(1), order, less(1), largest]
        for (index, signer) in signers.enumerated() {
            let other = signers[(index + 1) % signers.count].address
            for digest in digests + random {
                let claim = try await claim(signer, digest)
                let (r, s) = (claim.signature.r, claim.signature.s)
                let parity = claim.signature.yParity
                func add(
                    _ digest: Bytes32,
                    _ r: Bytes32,
                    _ s: Bytes32,
                    _ parity: UInt8,
                    of signer: Address
                ) {
                    guard let signature = Signature(r: r, s: s, yParity: parity) else { return }
                    spoiled.append(
                        SignatureClaim(digest: digest, signature: signature, signer: signer)
                    )
                }
                sound.append(claim)
                let high = (UInt256(order) - UInt256(s)).word
                if let signature = Signature(r: r, s: high, yParity: 1 - parity) {
                    sound.append(
                        SignatureClaim(
                            digest: digest,
                            signature: signature,
                            signer: signer.address
                        )
                    )
                }
                add(digest, r, s, 1 - parity, of: signer.address)
                add(digest, r, high, parity, of: signer.address)
                add(digest, r, s, parity, of: other)
                add(random[0] == digest ? word(2) : random[0], r, s, parity, of: signer.address)
                for bad in [.zero, order, word(1), less(1), largest] {
                    add(digest, bad, s, parity, of: signer.address)
                    add(digest, r, bad, parity, of: signer.address)
                }
            }
        }
        return (sound, spoiled)
    }

    /// Keys whose points meet those of the generator's table, and others.
    private static func signers() throws -> [PrivateKeySigner] {
        try [word(1), word(2), word(256), word(0x1111), less(1), less(2), less(256)]
            .map { try PrivateKeySigner(key: $0) }
    }

    @Test(
        "a known account's claims get the answers of libsecp256k1",
        arguments: [1, 2] as [UInt64]
    )
    func known(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let signers = try Self.signers()
        let verifier = try await Self.verifier(knowing: signers)
        #expect(verifier.counts.tables == signers.count)
        let (sound, spoiled) = try await Self.claims(of: signers, &generator)
        let claims = (sound + spoiled).shuffled(using: &generator)
        #expect(sound.allSatisfy { Self.judged($0) == .signed })
        #expect(!spoiled.contains { Self.judged($0) == .signed })
        let judged = claims.map(Self.judged)
        var start = 0
        for size in [1, 2, 15, 16, 17, 31, 32, 33, 200, claims.count] {
            let part = Array(claims[start..<min(start + size, claims.count)])
            let expected = Array(judged[start..<min(start + size, claims.count)])
            #expect(verifier.outcomes(of: part) == expected, "\(size), seed \(seed)")
            start = (start + size) % (claims.count / 2)
        }
        #expect(verifier.outcomes(of: []).isEmpty)
    }

    @Test("the claims that are true are confirmed by tables, nearly all")
    func quick() async throws {
        var generator = SeededGenerator(seed: 3)
        let signer = try PrivateKeySigner(key: Self.word(0x2222))
        let verifier = try await Self.verifier(knowing: [signer])
        let recovered = verifier.counts.recovered
        let (sound, _) = try await Self.claims(of: [signer], &generator)
        let outcomes = verifier.outcomes(of: sound + sound)
        #expect(outcomes.allSatisfy { $0 == .signed })
        #expect(verifier.counts.confirmedByTables == 2 * sound.count)
        #expect(verifier.counts.recovered == recovered)
    }

    @Test("a forged claim is refused alone, wherever it stands")
    func forged() async throws {
        let signer = try PrivateKeySigner(key: Self.word(0x3333))
        let verifier = try await Self.verifier(knowing: [signer])
        var claims: [SignatureClaim] = []
        for number in 100..<UInt64(140) {
            claims.append(try await Self.claim(signer, Self.word(number)))
        }
        for place in claims.indices {
            var batch = claims
            batch[place] = SignatureClaim(
                digest: Self.word(7),
                signature: claims[place].signature,
                signer: signer.address
            )
            let outcomes = verifier.outcomes(of: batch)
            #expect(outcomes.indices.filter { outcomes[$0] != .signed } == [place])
            #expect(outcomes[place] == Self.judged(batch[place]))
        }
    }

    /// With z = s = r the sum is G + Q: twice the same point if Q is G, and infinity if it is -G.
    @Test("points that meet are left to libsecp256k1, and the rest of the batch is not")
    func meetingPoints() async throws {
        // The x of 2G, whose y is even.
        let r = try Bytes32(
            hex: "0xc6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        )
        let signers = try [Self.word(1), Self.less(1)].map { try PrivateKeySigner(key: $0) }
        let verifier = try await Self.verifier(knowing: signers)
        var others: [SignatureClaim] = []
        for number in 200..<UInt64(215) {
            others.append(try await Self.claim(signers[Int(number % 2)], Self.word(number)))
        }
        for signer in signers {
            for parity in [0, 1] as [UInt8] {
                let signature = try #require(Signature(r: r, s: r, yParity: parity))
                let claim = SignatureClaim(digest: r, signature: signature, signer: signer.address)
                let isSound = signer.address == signers[0].address && parity == 0
                #expect((Self.judged(claim) == .signed) == isSound)
                let before = verifier.counts
                let outcomes = verifier.outcomes(of: others + [claim])
                #expect(outcomes.dropLast().allSatisfy { $0 == .signed })
                #expect(outcomes.last == Self.judged(claim))
                #expect(verifier.counts.recovered == before.recovered + 1)
                #expect(
                    verifier.counts.confirmedByTables == before.confirmedByTables + others.count
                )
            }
        }
    }

    @Test("an account gets a table after enough confirmed signatures, and only for those")
    func confirmations() async throws {
        let signer = try PrivateKeySigner(key: Self.word(0x4444))
        let stranger = try PrivateKeySigner(key: Self.word(0x5555))
        let verifier = SignatureVerifier(limits: KnownAccounts.Limits(confirmations: 4))
        let claim = try await Self.claim(signer, Self.word(1))
        let falseClaim = SignatureClaim(
            digest: claim.digest,
            signature: claim.signature,
            signer: stranger.address
        )
        for _ in 0..<20 {
            #expect(verifier.outcomes(of: [falseClaim]) == [.otherSigner(signer.address)])
        }
        #expect(verifier.counts.tables == 0)
        for _ in 0..<3 { #expect(verifier.outcomes(of: [claim]) == [.signed]) }
        #expect(verifier.counts.tables == 0)
        #expect(verifier.outcomes(of: [claim]) == [.signed])
        #expect(verifier.counts.tables == 1)
    }

    @Test("the account that was not asked for longest gives its table to another")
    func eviction() async throws {
        let limits = KnownAccounts.Limits(
            tables: 2,
            confirmations: 2,
            counted: 4,
            recoveriesPerReplacement: 10
        )
        let signers = try [0x61, 0x62, 0x63].map { try PrivateKeySigner(key: Self.word($0)) }
        let verifier = try await Self.verifier(knowing: Array(signers[..<2]), limits: limits)
        var claims: [SignatureClaim] = []
        for signer in signers { claims.append(try await Self.claim(signer, Self.word(9))) }
        // Asked for later than the second.
        #expect(verifier.outcomes(of: [claims[0]]) == [.signed])
        for _ in 0..<20 { #expect(verifier.outcomes(of: [claims[2]]) == [.signed]) }
        #expect(verifier.counts.tables == 3)
        let before = verifier.counts
        #expect(verifier.outcomes(of: claims) == [.signed, .signed, .signed])
        #expect(verifier.counts.confirmedByTables == before.confirmedByTables + 2)
        #expect(verifier.counts.recovered == before.recovered + 1)
    }

    @Test("accounts that sign once get no table, one that goes on gets its own")
    func strangers() async throws {
        let limits = KnownAccounts.Limits(confirmations: 8, counted: 4)
        let verifier = SignatureVerifier(limits: limits)
        let faithful = try PrivateKeySigner(key: Self.word(0x71))
        for number in 1...UInt64(60) {
            let signer = try PrivateKeySigner(key: Self.word(1_000 + number))
            let claim = try await Self.claim(signer, Self.word(number))
            #expect(verifier.outcomes(of: [claim]) == [.signed])
        }
        #expect(verifier.counts.tables == 0)
        for number in 1...UInt64(40) {
            let claim = try await Self.claim(faithful, Self.word(number))
            #expect(verifier.outcomes(of: [claim]) == [.signed])
        }
        #expect(verifier.counts.tables == 1)
    }

    @Test("many threads at once get right answers, while tables are made")
    func threads() async throws {
        let signers = try (0..<4).map { try PrivateKeySigner(key: Self.word(0x81 + $0)) }
        let verifier = SignatureVerifier(limits: KnownAccounts.Limits(tables: 2))
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<30 {
                        var claims: [SignatureClaim] = []
                        for (index, signer) in signers.enumerated() {
                            let digest = Self.word(UInt64(1 + task * 1_000 + round * 10 + index))
                            guard let claim = try? await Self.claim(signer, digest) else {
                                wrong += 1
                                continue
                            }
                            claims.append(claim)
                        }
                        wrong += verifier.outcomes(of: claims).count { $0 != .signed }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(verifier.counts.tables >= 2)
    }
}
