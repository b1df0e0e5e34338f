import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import ZeroEx

/// The vector files beside the tests, and short ways to read them.
enum Vectors {
    static let order = file("order-v1.json")
    static let calldata = file("calldata-v1.json")
    static let fills = file("fills-v1.json")
    static let orderV4 = file("order-v4.json")
    static let calldataV4 = file("calldata-v4.json")

    private static func file(_ name: String) -> JSONValue {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let url = folder.appendingPathComponent("Vectors").appendingPathComponent(name)
        guard let data = try? Data(contentsOf: url), let json = try? JSONParser.parse(data) else {
            Issue.record("Tests/ZeroExTests/Vectors/\(name) cannot be read")
            return .null
        }
        return json
    }
}

/// A vector file has not the shape that the test expects.
struct VectorError: Error {
    let what: String
}

extension JSONValue {
    func text(_ key: String) throws -> String {
        guard let text = self[key]?.stringValue ?? self[key]?.numberText else {
            throw VectorError(what: "no text \(key)")
        }
        return text
    }

    func array(_ key: String) throws -> [JSONValue] {
        guard let array = self[key]?.arrayValue else { throw VectorError(what: "no array \(key)") }
        return array
    }

    func object(_ key: String) throws -> JSONValue {
        guard let value = self[key], value.objectValue != nil else {
            throw VectorError(what: "no object \(key)")
        }
        return value
    }

    func bytes(_ key: String) throws -> [UInt8] {
        try Hex.decode(text(key))
    }

    func word(_ key: String) throws -> Bytes32 {
        try Bytes32(hex: text(key))
    }

    func number(_ key: String) throws -> UInt256 {
        guard let number = UInt256(decimal: try text(key)) else {
            throw VectorError(what: "no number \(key)")
        }
        return number
    }

    func address(_ key: String) throws -> Address {
        try Address(lenient: text(key))
    }
}

/// An order that a test changes at will, signed by a key of the tests.
struct SampleOrder {
    static let key = "0xf1aa5a7966c3863ccde3047f6a1e266cdc0c76b399e256b8fede92b1c69e4f4e"
    static let exchange = address(0xE1)

    var draft = OrderDraft(
        exchange: SampleOrder.exchange,
        maker: address(0xA1),
        makerToken: address(0x71),
        takerToken: address(0x72),
        makerAmount: 100,
        takerAmount: 200,
        expiry: 1_750_003_600,
        salt: 7
    )

    init(_ makerAmount: UInt256 = 100, _ takerAmount: UInt256 = 200) {
        draft.makerAmount = makerAmount
        draft.takerAmount = takerAmount
    }

    var unsigned: SignedOrderV1 {
        get throws {
            let signature = try #require(
                Signature(r: UInt256(1).word, s: UInt256(2).word, yParity: 0)
            )
            return SignedOrderV1(terms: draft, signature: signature)
        }
    }

    func signed() async throws -> SignedOrderV1 {
        let signer = try PrivateKeySigner(hex: Self.key)
        var terms = draft
        terms.maker = signer.address
        let order = try await ZeroExV1().sign(terms, with: signer)
        return try #require(order as? SignedOrderV1)
    }

    static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }
}

extension SampleOrder {
    /// Why an order is refused whose claim is taken and proven; nil if its maker signed it.
    static func rejection(
        ofClaimOf order: any SignedOrder,
        by zeroEx: some ExchangeProtocol,
        exchange: Address
    ) -> OrderRejection? {
        do throws(OrderRejection) {
            let claim = try zeroEx.claim(of: order, exchange: exchange)
            let signer = try? Secp256k1().recover(digest: claim.digest, signature: claim.signature)
            return signer == claim.signer ? nil : .badSignature
        } catch {
            return error
        }
    }
}
