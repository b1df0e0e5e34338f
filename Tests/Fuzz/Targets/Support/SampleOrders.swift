import Ethereum
import EthereumWallet
import ZeroEx

/// Orders for seeds, by makers whose keys are known.
enum SampleOrders {
    static let exchange = Address(truncating: UInt256(0xE1).word)
    static let proxy = Address(truncating: UInt256(0xE2).word)
    static let zrx = Address(truncating: UInt256(0xA1).word)
    static let weth = Address(truncating: UInt256(0xA2).word)
    /// Seconds since 1970 in which the servers under test live.
    static let now: UInt64 = 1_700_000_000

    /// Sells 1000 units of ZRX for 2000 of WETH; one with an odd salt the other way round.
    static func draft(salt: UInt64) -> OrderDraft {
        let isBid = salt & 1 == 1
        return OrderDraft(
            exchange: exchange,
            maker: Address(truncating: UInt256(0x3A4E).word),
            taker: salt & 2 == 2 ? Address(truncating: UInt256(0x7A4E).word) : .zero,
            makerToken: isBid ? weth : zrx,
            takerToken: isBid ? zrx : weth,
            makerAmount: 1_000,
            takerAmount: 2_000,
            expiry: UInt256(now + 3_600),
            salt: UInt256(salt)
        )
    }

    /// Signed by its maker.
    static func signed(salt: UInt64) throws -> SignedOrderV1 {
        let maker = try PrivateKeySigner(key: UInt256(0x1111).word)
        var draft = draft(salt: salt)
        draft.maker = maker.address
        draft.taker = .zero
        let digest = ZeroExV1().digest(of: draft)
        return SignedOrderV1(terms: draft, signature: try maker.signature(over: digest))
    }
}
