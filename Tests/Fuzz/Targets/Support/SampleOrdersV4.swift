import Ethereum
import EthereumWallet

@testable import ZeroEx

/// Orders of v4 for seeds, by a maker whose key is known.
enum SampleOrdersV4 {
    static let domain = ExchangeDomainV4(
        chainID: 1337,
        exchange: Address(truncating: UInt256(0xF4).word)
    )
    static let zeroEx = ZeroExV4(domain: domain, signatureKind: .ethSign)

    /// Sells 1000 units of ZRX for 2000 of WETH; one with an odd salt the other way round.
    static func signed(salt: UInt64) throws -> SignedOrderV4 {
        let maker = try PrivateKeySigner(key: UInt256(0x1111).word)
        let isBid = salt & 1 == 1
        let terms = LimitOrderV4(
            makerToken: isBid ? SampleOrders.weth : SampleOrders.zrx,
            takerToken: isBid ? SampleOrders.zrx : SampleOrders.weth,
            makerAmount: 1_000,
            takerAmount: 2_000,
            maker: maker.address,
            expiry: SampleOrders.now + 3_600,
            salt: UInt256(salt)
        )
        let kind: SignatureKindV4 = salt & 2 == 2 ? .eip712 : .ethSign
        return SignedOrderV4(
            terms: terms,
            domain: domain,
            signature: SignatureV4(
                try maker.signature(over: kind.digest(of: terms.hash(in: domain))),
                kind: kind
            )
        )
    }
}
