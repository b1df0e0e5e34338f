import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("The one way to a signature")
struct AuthorizedSignerTests {
    typealias Bench = SigningBench

    private static let day: UInt64 = 86_400

    /// The error of something that must not be signed.
    private func refusal(
        _ body: () async throws(SigningError) -> Void
    ) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func events(_ bench: SigningBench) throws -> [AuditLine.Event] {
        try bench.log.lines(since: 0).map(\.event)
    }

    // MARK: What is signed

    @Test("a transaction, an order and a message are signed as the key alone would, and logged")
    func signs() async throws {
        let bench = try Bench()
        let transaction = Bench.transfer(Bench.zrx, "1")
        let signed = try await bench.sign(transaction)
        #expect(signed.raw == (try await bench.key.sign(transaction, chainID: 1)).raw)
        let draft = Bench.ownOrder()
        let order = try await bench.signer.sign(draft, terms: SigningTerms(purpose: "limit-order"))
        #expect(order.hash == ZeroExV1().hash(of: draft))
        try ZeroExV1().verify(order, exchange: Bench.exchange, recoverer: Secp256k1())
        let message = Array("hello".utf8)
        let signature = try await bench.signer.sign(message: message)
        let digest = EthereumMessage.hash(message)
        #expect(
            try Secp256k1().recover(digest: digest, signature: signature) == bench.key.address
        )
        let lines = try bench.log.lines(since: 0)
        #expect(
            lines.map(\.event) == [
                .authorized, .signed, .authorized, .signed, .authorized, .signed,
            ]
        )
        #expect(
            lines.map { $0.json["kind"]?.stringValue }.compactMap { $0 }
                == ["transaction", "order", "message"]
        )
        #expect(lines[1].json["hash"]?.stringValue == signed.hash.hex)
        #expect(lines[3].json["hash"]?.stringValue == order.hash.hex)
        for pair in stride(from: 0, to: 6, by: 2) { #expect(lines[pair].id == lines[pair + 1].id) }
        #expect(Set(lines.map(\.id)).count == 3)
    }

    @Test("the log tells what a transaction does, under which rules")
    func reported() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.weth): Bench.units("10")]
        bench.policy.maximumFee = Wei(Bench.units("1"))
        _ = try await bench.signer.sign(
            Bench.fill(Bench.order(), "0.5"),
            chainID: 1,
            terms: SigningTerms(purpose: "fill", slippage: 150)
        )
        let line = try #require(try bench.log.lines(since: 0).first).json
        #expect(line["time"] == .number("1800000000"))
        #expect(line["account"]?.stringValue == bench.key.address.checksummed)
        #expect(line["network"] == "mainnet")
        #expect(line["chainId"] == 1)
        #expect(line["purpose"] == "fill")
        #expect(line["function"] == "fillOrder")
        #expect(line["to"]?.stringValue == Bench.exchange.checksummed)
        #expect(line["nonce"] == 0)
        #expect(line["slippage"] == "1.5")
        #expect(line["maxFee"] == "1000000000000000")
        #expect(
            line["paid"] == [
                [
                    "token": .string(Bench.weth.checksummed), "amount": "500000000000000000",
                ],
                [
                    "token": .string(Bench.zrx.checksummed), "amount": "1000000000000000000",
                ],
            ]
        )
        #expect(line["received"] == [.string(Bench.zrx.checksummed)])
        #expect(line["policy"] == "/home/policy.toml")
        #expect(
            line["rules"]?.arrayValue?.compactMap(\.stringValue)
                == ["max_fee", "max_per_day.WETH (0 WETH before)"]
        )
    }

    // MARK: What is not

    @Test(
        "what an unlocked key's limits forbid names the option that set them",
        arguments: [
            ("max_per_trade.WETH", "--max"), ("max_per_day.WETH", "--max-day"),
            ("max_fee", "--max-gas-cost"), ("max_tip", "--max-tip"), ("tokens", "--max"),
            ("spenders", "--contract"), ("networks", "--also-network"),
        ]
    )
    func unlockOptions(rule: String, option: String) {
        let reported = SigningError.policy(
            rule: rule,
            source: Policy.unlockSource,
            reason: "it may take 2 WETH, and 1 WETH are allowed"
        ).words
        #expect(
            reported.message
                == "The option \(option) of dex unlock forbids this: it may take 2 WETH, "
                + "and 1 WETH are allowed."
        )
        #expect(reported.hint?.hasSuffix("dex lock, then dex unlock \(option) ...") == true)
    }

    @Test("what a rule forbids never reaches the key; the error names the rule, the log has it")
    func refused() async throws {
        var bench = try Bench()
        let key = TestKey(bench.key.address) { _ throws(SigningError) in throw .highS }
        bench.holder = key
        bench.policy.networks = ["kovan"]
        let signer = bench.signer
        let errors = [
            await refusal { () async throws(SigningError) in
                _ = try await bench.sign(Bench.transfer(Bench.zrx, "1"))
            },
            await refusal { () async throws(SigningError) in
                _ = try await signer.sign(
                    Bench.ownOrder(),
                    terms: SigningTerms(purpose: "limit-order")
                )
            },
        ]
        for error in errors {
            #expect(error?.kind == .refused)
            #expect(error?.code == "policy")
            #expect(
                error?.message == "The rule networks of /home/policy.toml forbids this: mainnet "
                    + "is not one of kovan."
            )
        }
        bench.policy.networks = nil
        let message = await refusal { () async throws(SigningError) in
            _ = try await bench.signer.sign(message: [UInt8](repeating: 0, count: 32))
        }
        #expect(message?.code == "looks-like-a-hash")
        #expect(message?.kind == .refused)
        #expect(key.asked.isEmpty)
        let lines = try bench.log.lines(since: 0)
        #expect(lines.map(\.event) == [.refused, .refused, .refused])
        #expect(
            lines.map { $0.json["refusedBy"] } == [["networks"], ["networks"], ["messages"]]
        )
    }

    @Test("a transaction of another chain is not signed, nor one with what its kind cannot carry")
    func wrongChain() async throws {
        let bench = try Bench()
        var transaction = Bench.transfer(Bench.zrx, "1")
        for chain: UInt64? in [nil, 5] {
            transaction.chainID = chain
            let wrong = transaction
            let error = await refusal { () async throws(SigningError) in
                _ = try await bench.sign(wrong)
            }
            #expect(error?.code == "wrong-chain")
        }
        let other = Bench.transfer(Bench.zrx, "1")
        let answered = await refusal { () async throws(SigningError) in
            _ = try await bench.signer.sign(
                other,
                chainID: 5,
                terms: SigningTerms(purpose: "test")
            )
        }
        #expect(answered?.code == "wrong-chain")
        var legacy = Bench.transfer(Bench.zrx, "1")
        legacy.fee = .legacy(gasPrice: Wei(UInt256(1)))
        legacy.accessList = [AccessListEntry(address: Bench.zrx, storageKeys: [])]
        let carrying = legacy
        let error = await refusal { () async throws(SigningError) in
            _ = try await bench.sign(carrying)
        }
        #expect(error?.kind == .key)
        #expect(try events(bench).isEmpty)
    }

    @Test("a signature by another key, with a high s or of nobody is not used, and does not count")
    func wrongSignatures() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("1")]
        let other = try PrivateKeySigner(key: UInt256(2).word)
        let own = bench.key
        let order = UInt256(
            quantity: "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        )
        let answers: [(String, @Sendable (Bytes32) async throws -> Signature?)] = [
            ("wrong-signature", { try await other.sign(digest: $0) }),
            ("wrong-signature", { _ in try await own.sign(digest: .zero) }),
            ("wrong-signature", { _ in Signature(r: .zero, s: .zero, yParity: 0) }),
            (
                "high-s",
                { digest in
                    let good = try await own.sign(digest: digest)
                    let s = try #require(order) &- UInt256(good.s)
                    return Signature(r: good.r, s: s.word, yParity: 1 - good.yParity)
                }
            ),
        ]
        for (code, answer) in answers {
            let key = TestKey(own.address) { authorized throws(SigningError) in
                guard let made = try? await answer(authorized.request.digest) else {
                    throw SigningError.reported(.init(.key, "test", "The test has no signature."))
                }
                return made
            }
            bench.holder = key
            let lying = bench
            let error = await refusal { () async throws(SigningError) in
                _ = try await lying.sign(Bench.transfer(Bench.zrx, "1"))
            }
            #expect(error?.code == code)
            #expect(error?.kind == .key)
        }
        #expect(try events(bench).filter { $0 == .failed }.count == 4)
        bench.holder = LocalKey(own)
        try await bench.sign(Bench.transfer(Bench.zrx, "1"))
    }

    @Test("a key that does not sign is told with its own reason")
    func failingKey() async throws {
        var bench = try Bench()
        bench.holder = TestKey(bench.key.address) { _ throws(SigningError) in
            throw SigningError.reported(.init(.interrupted, "interrupted", "It was ended."))
        }
        let failing = bench
        let error = await refusal { () async throws(SigningError) in
            _ = try await failing.signer.sign(message: [1])
        }
        #expect(error?.kind == .interrupted)
        let lines = try bench.log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .failed])
        #expect(lines.last?.json["code"] == "interrupted")
    }

    // MARK: Days

    @Test("a day's limit counts what was signed in the last 24 hours, and no longer")
    func days() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("10")]
        try await bench.sign(Bench.transfer(Bench.zrx, "4", nonce: 0))
        bench.now += 3_600
        try await bench.sign(Bench.transfer(Bench.zrx, "6", nonce: 1))
        let full = bench
        let error = await refusal { () async throws(SigningError) in
            try await full.sign(Bench.transfer(Bench.zrx, "0.1", nonce: 2))
        }
        #expect(error?.message.hasPrefix("The rule max_per_day.ZRX of ") == true)
        // Another token is not concerned, nor what needs none of it.
        try await bench.sign(Bench.transfer(Bench.weth, "100", nonce: 2))
        bench.now = Bench.now + Self.day
        try await bench.sign(Bench.transfer(Bench.zrx, "4", nonce: 3))
        let again = bench
        let second = await refusal { () async throws(SigningError) in
            try await again.sign(Bench.transfer(Bench.zrx, "0.1", nonce: 4))
        }
        #expect(second?.code == "policy")
    }

    @Test("of transactions with one nonce only the largest counts; orders count each")
    func replacements() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("10")]
        for amount in ["4", "6", "5"] {
            try await bench.sign(Bench.transfer(Bench.zrx, amount, nonce: 9))
        }
        let zrx = Asset.token(Bench.zrx)
        #expect(try bench.spent()[zrx] == Bench.units("6"))
        for _ in 0..<2 {
            _ = try await bench.signer.sign(
                Bench.ownOrder("2"),
                terms: SigningTerms(purpose: "limit-order")
            )
        }
        #expect(try bench.spent()[zrx] == Bench.units("10"))
        // A v1 order names no chain.
        #expect(try bench.spent(on: 5)[zrx] == Bench.units("4"))
        bench.now += Policy.day
        #expect(try bench.spent()[zrx] == Bench.units("4"))
    }

    @Test("with the clock behind the log a day cannot be counted, so nothing is signed")
    func clock() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("10")]
        try await bench.sign(Bench.transfer(Bench.zrx, "10"))
        bench.now -= 600
        let tolerated = bench
        let full = await refusal { () async throws(SigningError) in
            try await tolerated.sign(Bench.transfer(Bench.zrx, "1", nonce: 1))
        }
        #expect(full?.message.hasPrefix("The rule max_per_day.ZRX ") == true)
        bench.now = 1_000
        let late = bench
        let error = await refusal { () async throws(SigningError) in
            try await late.sign(Bench.transfer(Bench.zrx, "1", nonce: 1))
        }
        #expect(error?.message.contains("the clock is 1799999000 seconds behind") == true)
        let check = await refusal { () async throws(SigningError) in
            try late.signer.check(
                .transaction(Bench.transfer(Bench.zrx, "1", nonce: 1)),
                terms: SigningTerms(purpose: "test")
            )
        }
        #expect(check?.code == "policy")
    }

    @Test("asking beforehand decides the same and writes nothing")
    func check() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("10")]
        let terms = SigningTerms(purpose: "test")
        let transfer = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "6", nonce: 1))
        try bench.signer.check(transfer, terms: terms)
        #expect(try events(bench).isEmpty)
        try await bench.sign(Bench.transfer(Bench.zrx, "6"))
        let full = bench
        let error = await refusal { () async throws(SigningError) in
            try full.signer.check(transfer, terms: terms)
        }
        #expect(error?.message.contains("6 ZRX after 6 ZRX in the last 24 hours") == true)
        #expect(try events(bench).count == 2)
    }

    // MARK: The log comes first

    @Test("what cannot be logged is not signed")
    func noLog() async throws {
        var bench = try Bench(log: BrokenLog(after: 0))
        let key = TestKey(bench.key.address) { _ throws(SigningError) in throw .highS }
        bench.holder = key
        let broken = bench
        let error = await refusal { () async throws(SigningError) in
            _ = try await broken.signer.sign(message: [1])
        }
        #expect(error?.code == "audit-log")
        #expect(key.asked.isEmpty)
    }

    @Test("a signature whose end cannot be logged is not handed out")
    func noEnd() async throws {
        let bench = try Bench(log: BrokenLog(after: 1))
        let error = await refusal { () async throws(SigningError) in
            _ = try await bench.signer.sign(message: [1])
        }
        #expect(error?.code == "audit-log")
    }
}

/// A log that can be written so many times.
private final class BrokenLog: AuditLog {
    private let good: Int
    private let memory = MemoryAuditLog()

    init(after good: Int) {
        self.good = good
    }

    func lines(since: UInt64) throws(SigningError) -> [AuditLine] {
        try memory.lines(since: since)
    }

    func append(
        since: UInt64?,
        _ decide: ([AuditLine]) -> AuditLine
    ) throws(SigningError) {
        guard try memory.lines(since: 0).count < good else {
            throw SigningError.reported(.init(.configuration, "audit-log", "The disk is full."))
        }
        try memory.append(since: since, decide)
    }
}
