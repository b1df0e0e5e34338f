import Ethereum
import ZeroEx

/// The storage layout of the Exchange Proxy's features.
///
/// Each feature starts at a multiple of 2^128, with mappings as in Solidity, so that access lists
/// work as on a real chain.
enum ExchangeProxyStorage {
    /// The storage positions of the features, in the order in which they were added.
    private enum Feature: UInt64 {
        case registry = 0
        case nativeOrders = 7
    }

    /// The bit that marks an order as cancelled; the fill is below it.
    private static let cancelledBit = UInt256(1) << 255

    private static func position(_ feature: Feature, _ member: UInt64) -> Bytes32 {
        (UInt256(feature.rawValue + 1) << 128 + UInt256(member)).word
    }

    /// The contract that implements a function; zero if none does.
    static func implementation(_ selector: UInt32) -> Slot {
        // A four-byte mapping key is left-aligned in its word.
        let key = UInt256(UInt64(selector)) << 224
        return .fixed(Slot.mapping(key.word, at: position(.registry, 0)))
    }

    /// An order's filled amount, and whether it is cancelled.
    static func order(_ hash: Bytes32) -> Slot {
        .fixed(Slot.mapping(hash, at: position(.nativeOrders, 0)))
    }

    /// The minimum valid salt of a maker's orders of a pair.
    static func minimumSalt(
        _ kind: NativeOrderKindV4,
        maker: Address,
        makerToken: Address,
        takerToken: Address
    ) -> Slot {
        let ofMaker = Slot.mapping(
            maker.word,
            at: position(.nativeOrders, kind == .limit ? 1 : 2)
        )
        return .fixed(
            Slot.mapping(takerToken.word, at: Slot.mapping(makerToken.word, at: ofMaker))
        )
    }

    /// Whether a transaction's sender may fill RFQ orders that name another origin.
    static func allowedOrigin(_ origin: Address, _ sender: Address) -> Slot {
        .fixed(
            Slot.mapping(sender.word, at: Slot.mapping(origin.word, at: position(.nativeOrders, 3)))
        )
    }

    /// Whether a signer may sign for a maker.
    static func allowedSigner(maker: Address, _ signer: Address) -> Slot {
        .fixed(
            Slot.mapping(signer.word, at: Slot.mapping(maker.word, at: position(.nativeOrders, 4)))
        )
    }

    /// The value of an order's slot.
    static func state(filled: UInt128, isCancelled: Bool) -> UInt256 {
        isCancelled ? UInt256(filled) | cancelledBit : UInt256(filled)
    }

    /// The content of an order's slot.
    static func read(_ state: UInt256) -> (filled: UInt128, isCancelled: Bool) {
        (UInt128(truncatingIfNeeded: state), state & cancelledBit != .zero)
    }
}
