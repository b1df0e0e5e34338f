import Ethereum
import ZeroEx

@testable import DexRelay

/// An order with terms of its own and no signature, for a book that does not look at signatures.
final class PlainOrder: SignedOrder {
    let hash: OrderHash
    let maker: Address
    let makerToken: Address
    let takerToken: Address
    let makerAmount: UInt256
    let takerAmount: UInt256
    let expiry: UInt256
    let taker: Address
    let feeRecipient: Address
    let salt: UInt256

    init(
        _ number: UInt64,
        maker: Address = Address(truncating: UInt256(0x77).word),
        direction: PairDirection = PlainOrder.ask,
        makerAmount: UInt64 = 1_000_000,
        takerAmount: UInt64 = 2_000_000,
        expiry: UInt64 = RelayFixture.startTime + 3_600,
        taker: Address = .zero,
        feeRecipient: Address = .zero,
        salt: UInt256 = 0
    ) {
        // Hashes in another order than the numbers.
        hash = OrderHash(Keccak256.hash(UInt256(number).word.bytes))
        self.maker = maker
        makerToken = direction.makerToken
        takerToken = direction.takerToken
        self.makerAmount = UInt256(makerAmount)
        self.takerAmount = UInt256(takerAmount)
        self.expiry = UInt256(expiry)
        self.taker = taker
        self.feeRecipient = feeRecipient
        self.salt = salt
    }

    static let ask = PairDirection(makerToken: RelayFixture.zrx, takerToken: RelayFixture.weth)
    static let bid = PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx)

    var exchange: Address { RelayFixture.exchange }
    var makerFee: UInt256 { 0 }
    var takerFee: UInt256 { 0 }
    /// No relay reads it back.
    var wireText: [UInt8] { Array("{}".utf8) }
    var copyID: OrderCopyID { OrderCopyID(hash: hash, r: .zero, s: .zero, kind: 0) }
}

extension BookChange {
    /// A change of an entry as a ledger would hand it on.
    init(
        _ number: UInt64,
        _ entry: OrderEntry,
        _ state: ListingState = .shown,
        version: ProtocolVersion = .v1,
        fillable: UInt64 = 1,
        since: UInt64 = RelayFixture.startTime,
        previous: ListingState? = nil
    ) {
        self.init(
            number: number,
            pairSequence: number,
            version: version,
            entry: entry,
            state: state,
            standing: OrderStanding(fillable: UInt256(fillable), isPartlyFilled: false),
            since: since,
            previous: previous
        )
    }
}
