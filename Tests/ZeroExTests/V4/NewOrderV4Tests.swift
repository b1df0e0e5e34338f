import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("What a new v4 order needs before it is signed")
struct NewOrderV4Tests {
    private let zeroEx = ZeroExV4(domain: SamplesV4.domain, signatureKind: .eip712)

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

    // MARK: Typed data

    @Test("what a wallet shows is what is hashed: the vectors' hashes, also after it was text")
    func vectors() throws {
        let vectors = try Vectors.orderV4.array("limitOrders")
        for vector in vectors {
            var wire = try #require(try vector.object("order").objectValue)
            let domain = ExchangeDomainV4(
                chainID: try #require(try vector.number("chainId").uint64),
                exchange: try vector.address("verifyingContract")
            )
            wire["chainId"] = .integer(domain.chainID)
            wire["verifyingContract"] = .string(domain.exchange.lowercaseHex)
            wire["signature"] = try vector.object("signatures").object("eip712")
            let order = try OrderRecordV4(json: .object(wire)).order
            let data = try #require(order.terms.typedData(in: domain))
            #expect(data.digest.hex == (try vector.text("orderHash")))
            let read = try TypedData(json: try JSONParser.parse(text: data.json.text))
            #expect(read.digest == data.digest)
            #expect(read.types.encodedType(of: "LimitOrder") == LimitOrderV4.encodedType)
        }
        #expect(vectors.count == 36)
    }

    @Test("a draft's typed data hashes to the draft's hash; terms that no order can have have none")
    func drafts() throws {
        let data = try #require(zeroEx.typedData(of: draft))
        #expect(OrderHash(data.digest) == zeroEx.hash(of: draft))
        #expect(data.json["message"]?["sender"]?.stringValue == draft.fees.sender.checksummed)
        #expect(data.json["domain"]?["chainId"]?.stringValue == "1337")
        var wide = draft
        wide.takerAmount = UInt256(1) << 128
        #expect(zeroEx.typedData(of: wide) == nil)
        var late = draft
        late.expiry = UInt256(1) << 64
        #expect(zeroEx.typedData(of: late) == nil)
        #expect(ZeroExV1().typedData(of: draft) == nil, "v1 hashes a packed order")
    }

    // MARK: Salts

    @Test("whether a salt is good is asked as its maker, by a cancel that is never sent")
    func saltCheck() throws {
        let call = try #require(zeroEx.saltCheck(of: draft))
        #expect(call.from == draft.maker)
        #expect(call.to == draft.exchange)
        #expect(call.value == .zero)
        let pair = PairCancelV4(
            makerToken: draft.makerToken,
            takerToken: draft.takerToken,
            minValidSalt: draft.salt
        )
        #expect(try ExchangeCallV4(data: call.data) == .limit(.cancelPair(pair)))
        #expect(ZeroExV1().saltCheck(of: draft) == nil)
    }

    @Test("the least salt is in the contract's refusal, and in no other data")
    func minValidSalt() throws {
        let revert = ExchangeRevertV4.cancelSaltTooLow(minValidSalt: 7, oldMinValidSalt: .max)
        #expect(zeroEx.minValidSalt(revertedWith: revert.data) == .max)
        #expect(ZeroExV1().minValidSalt(revertedWith: revert.data) == nil)
        let others: [[UInt8]] = [
            [], [1], Array(revert.data.dropLast()), revert.data + [0],
            ExchangeRevertV4.words("no").data, ExchangeRevertV4.notImplemented(selector: 5).data,
            ExchangeRevertV4.invalidSigner(maker: .zero, signer: .zero).data,
        ]
        for data in others { #expect(zeroEx.minValidSalt(revertedWith: data) == nil, "\(data)") }
    }

    @Test("a salt is never below the least one, differs by chance, and never overflows")
    func newSalts() {
        let now: UInt64 = 1_700_000_000
        let ones = UInt256.max.word
        let small = UInt256(5).word
        let usual = zeroEx.salt(random: small, now: now)
        #expect(zeroEx.salt(random: small, now: now, minimum: 0) == usual)
        #expect(zeroEx.salt(random: small, now: now, minimum: usual) == usual, "equal is valid")
        #expect(zeroEx.salt(random: small, now: now, minimum: usual + 1) == usual + 6)
        let ahead = UInt256(now + 60) << 192
        #expect(zeroEx.salt(random: ones, now: now, minimum: ahead) == ahead + UInt256(UInt128.max))
        for random in [small, ones, Bytes32.zero, UInt256(1 << 40).word] {
            #expect(zeroEx.salt(random: random, now: now, minimum: .max) == .max)
            for room in [1, 2, 1_000_003] as [UInt256] {
                let salt = zeroEx.salt(random: random, now: now, minimum: .max - room)
                #expect(salt >= .max - room)
            }
        }
        let nearly = zeroEx.salt(random: small, now: now, minimum: .max - 3)
        #expect(nearly == UInt256.max - 2, "5 mod 4 above it")
    }
}
