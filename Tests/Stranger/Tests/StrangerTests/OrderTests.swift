import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("ZeroEx: orders of v1 and v4")
struct OrderTests {
    private static let exchange: Address = .zero.next

    /// Both versions of the protocol, and v4 with both ways to sign.
    private static let protocols: [any ExchangeProtocol] =
        [ZeroExV1()]
        + SignatureKindV4.allCases.map { kind in
            ZeroExV4(
                domain: ExchangeDomainV4(chainID: 1, exchange: exchange),
                signatureKind: kind
            )
        }

    private let maker: PrivateKeySigner
    private let contracts = ExchangeContracts(
        exchange: exchange,
        transferContract: exchange,
        feeToken: nil
    )

    init() throws {
        maker = try PrivateKeySigner(hex: String(repeating: "46", count: 32))
    }

    private func draft(salt: UInt256 = 1) -> OrderDraft {
        OrderDraft(
            exchange: Self.exchange,
            maker: maker.address,
            makerToken: Self.exchange.next,
            takerToken: Self.exchange.next.next,
            makerAmount: 1_000,
            takerAmount: 3_000,
            expiry: 2_000_000_000,
            salt: salt
        )
    }

    @Test("an order is signed, written, read and verified", arguments: protocols.indices)
    func order(index: Int) async throws {
        let version = Self.protocols[index]
        let order = try await version.sign(draft(), with: maker)
        #expect(order.hash == version.hash(of: draft()))

        let text = String(decoding: order.wireText, as: UTF8.self)
        let read = try version.decodeOrder(JSONParser.parse(text: text))
        #expect(read.hash == order.hash)
        #expect(version.encodeOrder(read).utf8 == order.wireText)
        try version.verify(read, exchange: Self.exchange, recoverer: Secp256k1())
        #expect(throws: OrderRejection.wrongExchange(Self.exchange)) {
            try version.verify(read, exchange: .zero, recoverer: Secp256k1())
        }
        let claim = try version.claim(of: read, exchange: Self.exchange)
        #expect(SignatureVerifier().outcomes(of: [claim]) == [.signed])
    }

    @Test("a changed amount makes an order that nobody signed", arguments: protocols.indices)
    func forgery(index: Int) async throws {
        let version = Self.protocols[index]
        let order = try await version.sign(draft(), with: maker)
        var json = version.encodeOrder(order)
        let key = ["makerAmount", "makerTokenAmount"].first { json[$0] != nil }
        guard case .object(var members) = json, let key else {
            Issue.record("an order is an object with an amount")
            return
        }
        members[key] = "1001"
        json = .object(members)
        let forged = try version.decodeOrder(json)
        #expect(forged.hash != order.hash)
        #expect(throws: OrderRejection.badSignature) {
            try version.verify(forged, exchange: Self.exchange, recoverer: Secp256k1())
        }
    }

    @Test("fills and cancels are calls of the exchange", arguments: protocols.indices)
    func calls(index: Int) async throws {
        let version = Self.protocols[index]
        let order = try await version.sign(draft(), with: maker)
        let fill = version.fillCall(
            PlannedFill(order: order, takerAmount: 1_500),
            mode: .throwing,
            contracts: contracts
        )
        #expect(fill.to == Self.exchange)
        #expect(version.functionName(of: fill.data) == fill.function)
        #expect(version.effects(of: fill.data)?.pays == [order.takerToken: 1_500])
        #expect(version.makerAmount(of: order, filling: 1_500) == 500)
        let cancel = version.cancelCall([order], contracts: contracts)
        #expect(version.effects(of: cancel.data)?.isCancel == true)
    }

    @Test("what a wallet shows of a v4 order has the order's hash")
    func typedData() throws {
        let version = ZeroExV4(
            domain: ExchangeDomainV4(chainID: 1, exchange: Self.exchange),
            signatureKind: .eip712
        )
        let data = try #require(version.typedData(of: draft()))
        #expect(data.digest == version.hash(of: draft()).word)
    }
}

extension Address {
    /// The address after this one.
    fileprivate var next: Address {
        Address(truncating: (UInt256(word) + 1).word)
    }
}
