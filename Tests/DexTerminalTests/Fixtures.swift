import Ethereum
import ZeroEx

@testable import DexCore

/// States with fixed values for the screens.
enum Fixtures {
    static let now: UInt64 = 1_770_000_000

    static let zrx = token(0xE41D, "ZRX", "0x Protocol Token", 18)
    static let weth = token(0xC02A, "WETH", "Wrapped Ether", 18)
    static let usdc = token(0xA0B8, "USDC", "USD Coin", 6)
    static let pair = Pair(base: zrx, quote: weth)

    static func token(
        _ seed: UInt64,
        _ symbol: String,
        _ name: String,
        _ decimals: UInt8?
    ) -> Token {
        Token(address: address(seed), symbol: symbol, name: name, decimals: decimals)
    }

    static func address(_ seed: UInt64) -> Address {
        Address(truncating: Bytes32(limbs: (0, seed &* 0x9E37_79B9_7F4A_7C15, seed << 40, seed)))
    }

    static func hash<Kind>(_ seed: UInt64) -> Hash<Kind> {
        Hash(
            Bytes32(
                limbs: (
                    seed &* 0x9E37_79B9_7F4A_7C15, seed &* 0xC2B2_AE3D_27D4_EB4F, seed << 20, seed
                )
            )
        )
    }

    /// Human units with 18 decimals, in thousandths.
    static func milli(_ thousandths: UInt64) -> UInt256 {
        UInt256(thousandths) * 1_000_000_000_000_000
    }

    /// WETH per ZRX in millionths.
    static func price(_ millionths: UInt64) -> Price {
        guard let price = Price(quote: UInt256(millionths), base: 1_000_000) else {
            fatalError("a constant denominator")
        }
        return price
    }

    static func row(
        _ seed: UInt64,
        price millionths: UInt64,
        amount: UInt64,
        fillable: UInt64? = nil,
        expires: UInt64 = 11_520,
        flags: [OrderFlag] = []
    ) -> OrderbookState.Row {
        OrderbookState.Row(
            orderHash: hash(seed),
            maker: address(seed),
            price: price(millionths),
            amount: milli(amount),
            fillable: milli(fillable ?? amount),
            takerFee: 0,
            expires: UInt256(now + expires),
            flags: flags
        )
    }

    static var book: OrderbookState {
        OrderbookState(
            pair: pair,
            block: 21_345_678,
            timestamp: now,
            bids: [
                row(11, price: 1_204, amount: 812_500),
                row(12, price: 1_203, amount: 2_500_000, flags: [.own]),
                row(
                    13,
                    price: 1_200,
                    amount: 5_000_000,
                    fillable: 1_250_500,
                    flags: [.partlyFunded]
                ),
                row(14, price: 1_187, amount: 12_000_000, expires: 200_000),
                row(15, price: 1_150, amount: 40_000_000, expires: 86_400 * 30),
            ],
            asks: [
                row(1, price: 1_209, amount: 90, expires: 100, flags: [.expiring]),
                row(2, price: 1_211, amount: 1_500_000),
                row(
                    3,
                    price: 1_214,
                    amount: 3_250_125,
                    fillable: 3_000_125,
                    flags: [.partlyFilled]
                ),
                row(4, price: 1_220, amount: 7_500_000, expires: 65),
                row(5, price: 1_260, amount: 22_000_000, flags: [.otherTaker]),
                row(6, price: 1_300, amount: 30_000_000, expires: 3_000_000),
            ],
            received: 84,
            verified: 82,
            dropped: [
                .init(
                    orderHash: hash(91),
                    reason: .rejected(.malformedSignature("It was not signed."))
                ),
                .init(orderHash: nil, reason: .malformed(.missing(field: "salt"))),
                .init(orderHash: hash(92), reason: .malformed(.missing(field: "maker"))),
            ],
            isRaw: false,
            depth: 6,
            bidCount: 5,
            askCount: 38,
            bid: price(1_204),
            ask: price(1_211),
            mid: Price(quote: 2_415, base: 2_000_000)
        )
    }
}
