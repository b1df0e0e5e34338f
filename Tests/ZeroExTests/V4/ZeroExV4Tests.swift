import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 behind the seam: orders, contracts, arithmetic")
struct ZeroExV4Tests {
    private let zeroEx = ZeroExV4(domain: SamplesV4.domain, signatureKind: .ethSign)
    private let contracts = ExchangeContracts(
        exchange: SampleOrder.exchange,
        transferContract: SampleOrder.exchange,
        feeToken: nil
    )

    private var draft: OrderDraft {
        var draft = SampleOrder(1_000, 3_000).draft
        draft.fees = OrderFees(
            recipient: SampleOrder.address(0xFE),
            makerFee: 0,
            takerFee: 30,
            sender: SampleOrder.address(0x5E)
        )
        return draft
    }

    private func order(
        _ change: (inout LimitOrderV4) -> Void = { _ in }
    ) -> SignedOrderV4 {
        var terms = SamplesV4.limit
        change(&terms)
        return SignedOrderV4(
            terms: terms,
            domain: SamplesV4.domain,
            signature: SamplesV4.signature
        )
    }

    // MARK: Orders

    @Test("the vectors' orders are read, hashed, signed and verified, in both ways to sign")
    func vectors() async throws {
        let vectors = try Vectors.orderV4.array("limitOrders")
        var verified = 0
        for vector in vectors {
            for (name, kind) in [("eip712", SignatureKindV4.eip712), ("ethSign", .ethSign)] {
                var wire = try #require(try vector.object("order").objectValue)
                let chainID = try #require(try vector.number("chainId").uint64)
                let exchange = try vector.address("verifyingContract")
                wire["chainId"] = .integer(chainID)
                wire["verifyingContract"] = .string(exchange.lowercaseHex)
                wire["signature"] = try vector.object("signatures").object(name)
                let version = ZeroExV4(
                    domain: ExchangeDomainV4(chainID: chainID, exchange: exchange),
                    signatureKind: kind
                )
                let order = try version.decodeOrder(.object(wire))
                #expect(order.hash.hex == (try vector.text("orderHash")))
                #expect(try version.decodeOrder(version.encodeOrder(order)).hash == order.hash)
                let verify = { () throws(OrderRejection) in
                    try version.verify(order, exchange: exchange, recoverer: Secp256k1())
                }
                if order.makerAmount == .zero || order.takerAmount == .zero {
                    #expect(throws: OrderRejection.zeroAmount) { try verify() }
                } else {
                    try verify()
                    verified += 1
                }
                // Our own orders have no pool, and a fee goes to somebody.
                guard (try vector.object("order").word("pool")) == .zero,
                    order.takerFee == .zero || order.feeRecipient != .zero
                else { continue }
                let terms = OrderDraft(order)
                #expect(version.hash(of: terms) == order.hash)
                let signer = try PrivateKeySigner(hex: vector.text("privateKey"))
                let signed = try #require(
                    try await version.sign(terms, with: signer) as? SignedOrderV4
                )
                #expect(signed.signature == (order as? SignedOrderV4)?.signature)
                #expect(
                    try Secp256k1().recover(
                        digest: version.orderSigning.digest(of: order.hash),
                        signature: try signer.signature(
                            over: version.signatureKind.digest(of: order.hash)
                        )
                    ) == signer.address
                )
            }
        }
        #expect(verified == 48, "24 of 36 have amounts that can be filled")
    }

    @Test("an order of another chain, exchange or version, or not signed by its maker, is refused")
    func refused() async throws {
        let signer = try PrivateKeySigner(hex: SampleOrder.key)
        var terms = draft
        terms.maker = signer.address
        let good = try #require(try await zeroEx.sign(terms, with: signer) as? SignedOrderV4)
        func rejection(
            _ order: any SignedOrder,
            exchange: Address = SampleOrder.exchange
        ) -> OrderRejection? {
            let claimed = SampleOrder.rejection(ofClaimOf: order, by: zeroEx, exchange: exchange)
            do throws(OrderRejection) {
                try zeroEx.verify(order, exchange: exchange, recoverer: Secp256k1())
                #expect(claimed == nil)
                return nil
            } catch {
                #expect(claimed == error)
                return error
            }
        }
        #expect(rejection(good) == nil)
        #expect(rejection(good, exchange: .zero) == .wrongExchange(SampleOrder.exchange))
        let other = ExchangeDomainV4(chainID: 56, exchange: SampleOrder.exchange)
        let signedThere = try await SignedOrderV4.sign(
            good.terms,
            in: other,
            kind: .ethSign,
            with: signer
        )
        #expect(rejection(signedThere) == .wrongChain(56))
        let v1 = try await SampleOrder().signed()
        #expect(rejection(v1) == .badSignature)
        #expect(rejection(order())?.code == "bad-signature")
        #expect(rejection(order { $0.maker = .zero }) == .zeroMaker)
        #expect(rejection(order { $0.makerAmount = 0 }) == .zeroAmount)
        #expect(rejection(order { $0.takerAmount = 0 }) == .zeroAmount)

        var changed = good.signature
        changed.s = (SignatureV4Tests.groupOrder - UInt256(changed.s)).word
        changed.v = changed.v == 27 ? 28 : 27
        let highS = SignedOrderV4(terms: good.terms, domain: good.domain, signature: changed)
        #expect(
            rejection(highS) == .malformedSignature(SignatureErrorV4.highS.description),
            "the twin with the high s"
        )
        for type in [0, 1, 2, 4, 5, 255] as [UInt8] {
            var signature = good.signature
            signature.type = type
            let retyped = SignedOrderV4(
                terms: good.terms,
                domain: good.domain,
                signature: signature
            )
            // Type 2 is of somebody else's signature.
            let error = type == 2 ? nil : SignatureErrorV4.refusal(of: type)
            #expect(
                rejection(retyped) == error.map { .malformedSignature($0.description) }
                    ?? .badSignature,
                "type \(type)"
            )
        }
    }

    @Test("terms that no order can have are refused before a key is asked")
    func checks() async throws {
        let wide = UInt256(UInt128.max) + 1
        let changes: [((inout OrderDraft) -> Void, OrderError)] = [
            ({ $0.makerAmount = wide }, .tooLarge(field: "makerAmount", bits: 128)),
            ({ $0.takerAmount = .max }, .tooLarge(field: "takerAmount", bits: 128)),
            ({ $0.fees.takerFee = wide }, .tooLarge(field: "takerTokenFeeAmount", bits: 128)),
            ({ $0.expiry = UInt256(UInt64.max) + 1 }, .tooLarge(field: "expiry", bits: 64)),
            ({ $0.fees.makerFee = 1 }, .impossibleFee("the maker pays none in 0x v4")),
            (
                { $0.fees.recipient = .zero },
                .impossibleFee("it would go to the zero address")
            ),
            (
                { $0.exchange = SampleOrder.address(0xE9) },
                .malformed(
                    field: "verifyingContract",
                    found: SampleOrder.address(0xE9).checksummed
                )
            ),
        ]
        try zeroEx.check(draft)
        let signer = RefusingSigner()
        var hashes: Set<OrderHash> = [zeroEx.hash(of: draft)]
        for (change, wanted) in changes {
            var terms = draft
            change(&terms)
            #expect(throws: wanted) { try zeroEx.check(terms) }
            await #expect(throws: SignerError.refused(wanted.description)) {
                try await zeroEx.sign(terms, with: signer)
            }
            hashes.insert(zeroEx.hash(of: terms))
        }
        // A maker's fee has no place in an order.
        #expect(hashes.count == changes.count, "each other one has a hash of its own")
        var edge = draft
        edge.makerAmount = UInt256(UInt128.max)
        edge.expiry = UInt256(UInt64.max)
        try zeroEx.check(edge)
        #expect(OrderError.tooLarge(field: "expiry", bits: 64).description.contains("64 bits"))
        #expect(OrderError.impossibleFee("x").description == "The order's fee is not possible: x.")
    }

    @Test("a draft in the relay's forms: eight members to ask with, all of them to sign")
    func drafts() throws {
        let question = try #require(zeroEx.encodeDraft(draft).objectValue)
        #expect(
            Set(question.members.map(\.key)) == [
                "maker", "taker", "makerAmount", "takerAmount", "makerToken", "takerToken",
                "verifyingContract", "expiry",
            ]
        )
        let terms = zeroEx.encodeTerms(draft)
        #expect(terms["chainId"]?.numberText == "1337")
        #expect(terms["sender"]?.stringValue == SampleOrder.address(0x5E).lowercaseHex)
        #expect(terms["takerTokenFeeAmount"]?.stringValue == "30")
        #expect(terms["signature"] == nil)
        var wide = draft
        wide.makerAmount = .max
        #expect(zeroEx.encodeDraft(wide) == .null)
        #expect(zeroEx.encodeTerms(wide) == .null)
    }

    @Test("salts grow with time, and differ within a second")
    func salts() {
        let ones = UInt256.max.word
        let early = zeroEx.salt(random: ones, now: 1_700_000_000)
        let late = zeroEx.salt(random: .zero, now: 1_700_000_001)
        #expect(early < late, "whatever is random")
        let other = zeroEx.salt(random: UInt256(5).word, now: 1_700_000_000)
        #expect(other == UInt256(1_700_000_000) << 192 + 5)
        #expect(other < early)
    }

    @Test("fees are counted in the order's taker token")
    func feeTokens() {
        #expect(zeroEx.feeToken(of: order(), contracts: contracts) == SampleOrder.address(0x72))
        #expect(zeroEx.feeToken(of: draft, contracts: contracts) == draft.takerToken)
        #expect(zeroEx.feeTokenSymbol == nil)
    }

    // MARK: Contracts

    @Test("the exchange is its own transfer contract, and tells the multiplier of its fee")
    func exchangeContracts() throws {
        let exchange = SampleOrder.exchange
        let calls = zeroEx.contractCalls(exchange: exchange)
        #expect(calls.map(\.data) == [[0x48, 0x7b, 0x5c, 0x20]])
        #expect(calls.map(\.to) == [exchange])
        let answer = ExchangeAnswerV4.protocolFeeMultiplier(70_000).data
        let found = try zeroEx.contracts(exchange: exchange, answers: [answer])
        #expect(found.exchange == exchange)
        #expect(found.transferContract == exchange)
        #expect(found.feeToken == nil)
        #expect(found.protocolFeeMultiplier == 70_000)
        #expect(zeroEx.readinessCalls(found).isEmpty)
        try zeroEx.checkReadiness(found, answers: [])
        #expect(throws: ExchangeError.self) { try zeroEx.checkReadiness(found, answers: [[]]) }
        let bad: [[[UInt8]]] = [
            [], [[]], [[0]], [answer, answer], [UInt256.max.bigEndianBytes],
            [(UInt256(1) << 32).bigEndianBytes], [answer + [0]],
        ]
        for answers in bad {
            #expect(throws: ExchangeError.notAnExchange(exchange, .v4)) {
                try zeroEx.contracts(exchange: exchange, answers: answers)
            }
        }
    }

    // MARK: Arithmetic

    @Test("what is paid out rounds down, what it takes rounds up, and the fee is on top")
    func arithmetic() {
        let order = order()
        #expect(zeroEx.makerAmount(of: order, filling: 100) == 33)
        #expect(zeroEx.makerAmount(of: order, filling: 2) == 0)
        #expect(zeroEx.takerAmount(of: order, for: 33) == 99)
        #expect(zeroEx.takerAmount(of: order, for: 34) == 102)
        #expect(zeroEx.takerAmount(of: order, for: 1_000) == 3_000)
        #expect(zeroEx.takerAmount(of: order, for: 1_001) == nil)
        #expect(zeroEx.takerFee(of: order, filling: 3_000) == 30)
        #expect(zeroEx.takerFee(of: order, filling: 199) == 1)
        #expect(zeroEx.makerFee(of: order, filling: 3_000) == 0)
        #expect(zeroEx.makerAmount(of: order, filling: .max) == nil)
        #expect(zeroEx.takerFee(of: order, filling: .max) == .max)
        #expect(zeroEx.takerFee(of: self.order { $0.takerTokenFeeAmount = 0 }, filling: .max) == 0)
    }

    @Test("a fill that pays out nothing is no fill, and there is no other bound on rounding")
    func rounding() {
        let order = order()
        #expect(zeroEx.hasRoundingError(order, filling: 2))
        #expect(!zeroEx.hasRoundingError(order, filling: 3))
        // 5 pays out 1 of 1.67: v1 would refuse it.
        #expect(!zeroEx.hasRoundingError(order, filling: 5))
        #expect(!zeroEx.hasRoundingError(order, filling: 0))
        #expect(zeroEx.hasRoundingError(order, filling: .max))
        #expect(zeroEx.largestFill(of: order, upTo: 5) == 5)
        #expect(zeroEx.largestFill(of: order, upTo: 2) == nil)
        #expect(zeroEx.largestFill(of: order, upTo: 0) == nil)
        #expect(zeroEx.largestFill(of: order, upTo: .max) == 3_000)
        let empty = self.order { $0.makerAmount = 0 }
        #expect(zeroEx.largestFill(of: empty, upTo: .max) == nil)
    }
}

/// A key that must not be asked.
private struct RefusingSigner: Signer {
    let address = Address.zero

    func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        Issue.record("a key was asked for terms that no order can have")
        throw .refused("asked")
    }
}
