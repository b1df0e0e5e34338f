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
}
