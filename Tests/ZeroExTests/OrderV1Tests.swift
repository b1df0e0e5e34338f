import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v1 orders: hash, signature, verification")
struct OrderV1Tests {
    private let zeroEx = ZeroExV1()

    @Test("hashes and signatures equal what the contract answered, for all 40 vectors")
    func vectors() async throws {
        let vectors = try Vectors.order.array("vectors")
        #expect(vectors.count == 40)
        for vector in vectors {
            let json = try vector.object("order")
            var wire = try #require(json.objectValue)
            wire["ecSignature"] = try vector.object("ecSignature")
            let order = try #require(zeroEx.decodeOrder(.object(wire)) as? SignedOrderV1)
            let hash = try vector.text("orderHash")
            #expect(order.hash.hex == hash)
            #expect(zeroEx.hash(of: order.terms).hex == hash)

            let signer = try PrivateKeySigner(hex: vector.text("privateKey"))
            let signed = try #require(
                try await zeroEx.sign(order.terms, with: signer) as? SignedOrderV1
            )
            #expect(signed.signature == order.signature)

            let verify = { () throws(OrderRejection) in
                try zeroEx.verify(order, exchange: order.exchange, recoverer: Secp256k1())
            }
            if order.makerAmount == .zero || order.takerAmount == .zero {
                // Some vectors have amounts that the contract hashes and nobody can fill.
                #expect(throws: OrderRejection.zeroAmount) { try verify() }
                let signerFound = try Secp256k1().recover(
                    digest: zeroEx.digest(of: order.terms),
                    signature: order.signature
                )
                #expect(signerFound == order.maker)
            } else {
                try verify()
            }
            #expect(zeroEx.encodeOrder(order) == .object(wire))
        }
    }

    @Test("a real order of mainnet from February 2018 has its hash and its maker's signature")
    func mainnet() throws {
        let order = try realOrder()
        #expect(
            order.hash.hex == "0x10d750751d98bc8a9c29542118fbcf2fdb5b4977a3e5abf7cf38d03a6c149942"
        )
        let mainnet = try Address("0x12459c951127e0c374ff9105dda097662a027093")
        try zeroEx.verify(order, exchange: mainnet, recoverer: Secp256k1())
    }

    @Test("the signed digest is the EIP-191 hash of the order's hash")
    func digest() throws {
        let order = try realOrder()
        #expect(zeroEx.digest(of: order.terms) == EthereumMessage.hash(order.hash.word.bytes))
    }

    @Test("terms that only one sender may fill are refused: v1 has no such orders")
    func sender() async throws {
        var draft = SampleOrder().draft
        try zeroEx.check(draft)
        draft.fees.sender = SampleOrder.address(0x5E)
        #expect(
            throws: OrderError.malformed(
                field: "sender",
                found: SampleOrder.address(0x5E).checksummed
            )
        ) { try zeroEx.check(draft) }
        let signer = try PrivateKeySigner(hex: "0x" + String(repeating: "11", count: 32))
        await #expect(throws: SignerError.self) { try await zeroEx.sign(draft, with: signer) }
    }

    @Test("the packed order is 312 bytes, every field at its offset")
    func packing() throws {
        var draft = SampleOrder().draft
        draft.fees = OrderFees(recipient: SampleOrder.address(0xFE), makerFee: 3, takerFee: 4)
        let packed = OrderHashV1.packed(draft)
        #expect(packed.count == 312)
        #expect(packed[0..<20].elementsEqual(draft.exchange.bytes))
        #expect(packed[20..<40].elementsEqual(draft.maker.bytes))
        #expect(packed[40..<60].elementsEqual(draft.taker.bytes))
        #expect(packed[60..<80].elementsEqual(draft.makerToken.bytes))
        #expect(packed[80..<100].elementsEqual(draft.takerToken.bytes))
        #expect(packed[100..<120].elementsEqual(draft.fees.recipient.bytes))
        let values = [100, 200, 3, 4, 1_750_003_600, 7] as [UInt256]
        for (index, value) in values.enumerated() {
            let start = 120 + 32 * index
            #expect(packed[start..<(start + 32)].elementsEqual(value.bigEndianBytes))
        }
    }

    @Test("the twin signature with the high s is accepted, as the contract does")
    func highS() async throws {
        let order = try await SampleOrder().signed()
        let n: UInt256 =
            0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141
        let twin = try #require(
            Signature(
                r: order.signature.r,
                s: (n - UInt256(order.signature.s)).word,
                yParity: 1 - order.signature.yParity
            )
        )
        let other = SignedOrderV1(terms: order.terms, signature: twin)
        try zeroEx.verify(other, exchange: order.exchange, recoverer: Secp256k1())
        #expect(other == order, "an order is known by its hash, not by its signature")
    }

    @Test("a signature over the bare hash is refused")
    func bareHash() async throws {
        let order = try await SampleOrder().signed()
        let signer = try PrivateKeySigner(hex: SampleOrder.key)
        let signature = try await signer.sign(digest: order.hash.word)
        let other = SignedOrderV1(terms: order.terms, signature: signature)
        #expect(throws: OrderRejection.badSignature) {
            try zeroEx.verify(other, exchange: other.exchange, recoverer: Secp256k1())
        }
    }

    @Test("an order for another exchange, without amounts or without a maker is refused")
    func rejections() async throws {
        let order = try await SampleOrder().signed()
        let elsewhere = SampleOrder.address(0xE2)
        #expect(throws: OrderRejection.wrongExchange(order.exchange)) {
            try zeroEx.verify(order, exchange: elsewhere, recoverer: Secp256k1())
        }
        for (makerAmount, takerAmount) in [(0, 200), (100, 0)] as [(UInt256, UInt256)] {
            let empty = try await SampleOrder(makerAmount, takerAmount).signed()
            #expect(throws: OrderRejection.zeroAmount) {
                try zeroEx.verify(empty, exchange: empty.exchange, recoverer: Secp256k1())
            }
        }
        var nobody = SampleOrder()
        nobody.draft.maker = .zero
        let unsigned = try nobody.unsigned
        #expect(throws: OrderRejection.zeroMaker) {
            try zeroEx.verify(unsigned, exchange: unsigned.exchange, recoverer: Secp256k1())
        }
    }

    @Test("a claim that is proven says what the verification says")
    func claims() async throws {
        let order = try await SampleOrder().signed()
        let bare = try await PrivateKeySigner(hex: SampleOrder.key).sign(digest: order.hash.word)
        let elsewhere = SampleOrder.address(0xE2)
        for (order, exchange, expected) in [
            (order, order.exchange, nil),
            (order, elsewhere, .wrongExchange(order.exchange)),
            (SignedOrderV1(terms: order.terms, signature: bare), order.exchange, .badSignature),
            (try await SampleOrder(0, 200).signed(), order.exchange, .zeroAmount),
        ] as [(SignedOrderV1, Address, OrderRejection?)] {
            #expect(
                SampleOrder.rejection(ofClaimOf: order, by: zeroEx, exchange: exchange) == expected
            )
        }
    }

    @Test("a change of any field breaks the signature")
    func everyFieldIsSigned() async throws {
        let order = try await SampleOrder().signed()
        let changes: [(inout OrderDraft) -> Void] = [
            { $0.taker = SampleOrder.address(9) },
            { $0.makerToken = SampleOrder.address(9) },
            { $0.takerToken = SampleOrder.address(9) },
            { $0.makerAmount += 1 },
            { $0.takerAmount += 1 },
            { $0.expiry += 1 },
            { $0.salt += 1 },
            { $0.fees.recipient = SampleOrder.address(9) },
            { $0.fees.makerFee += 1 },
            { $0.fees.takerFee += 1 },
            { $0.maker = SampleOrder.address(9) },
        ]
        for change in changes {
            var terms = order.terms
            change(&terms)
            let changed = SignedOrderV1(terms: terms, signature: order.signature)
            #expect(changed.hash != order.hash)
            #expect(throws: OrderRejection.badSignature) {
                try zeroEx.verify(changed, exchange: changed.exchange, recoverer: Secp256k1())
            }
        }
    }

    @Test("fees without a recipient are void to the trader and still part of the hash")
    func voidFees() throws {
        var sample = SampleOrder()
        sample.draft.fees = OrderFees(recipient: .zero, makerFee: 5, takerFee: 6)
        let order = try sample.unsigned
        #expect(order.makerFee == 0)
        #expect(order.takerFee == 0)
        #expect(order.terms.fees.takerFee == 6)
        #expect(order.hash != (try SampleOrder().unsigned.hash))
        #expect(zeroEx.encodeOrder(order)["takerFee"] == "6")
    }

    @Test("a salt is all of the random bytes")
    func salt() {
        let random = Bytes32(limbs: (1, 2, 3, 4))
        #expect(zeroEx.salt(random: random, now: 1_750_000_000) == UInt256(random))
    }

    private func realOrder() throws -> SignedOrderV1 {
        let json = try JSONParser.parse(
            text: """
                {"exchangeContractAddress":"0x12459c951127e0c374ff9105dda097662a027093",
                "maker":"0xc9b32e9563fe99612ce3a2695ac2a6404c111dde",
                "taker":"0x0000000000000000000000000000000000000000",
                "makerTokenAddress":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                "takerTokenAddress":"0xe41d2489571d322189246dafa5ebde1f4699f498",
                "feeRecipient":"0xa258b39954cef5cb142fd567a46cddb31a670124",
                "makerTokenAmount":"18981000000000000","takerTokenAmount":"19000000000000000000",
                "makerFee":"0","takerFee":"0","expirationUnixTimestampSec":"1518201120",
                "salt":"58600101225676680041453168589125977076540694791976419610199695339725548478315",
                "ecSignature":{"v":28,
                "r":"0x2ffe986adb2ba48a800fe153ec0ec2af8b65856a34a67648e65a4bd6639c54d9",
                "s":"0x44ea4220aec0676a41ae7d0bc2433407f2ce892217be30e39d4e44dcde127709"}}
                """
        )
        return try #require(zeroEx.decodeOrder(json) as? SignedOrderV1)
    }
}
