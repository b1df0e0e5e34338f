import Ethereum
import Glibc
import NIOCore
import StrictJSON
import ZeroEx

/// A posted order in the very bytes that the relay itself would write, as `dex` sends it.
///
/// Such a text has no fault of form, so it is read without a tree of values. Everything else goes
/// through `OrderSchemaV0`, which says what is wrong.
struct PostedOrderV0 {
    let order: any SignedOrder
    let wireText: [UInt8]

    /// nil if it is written in any other way, or has fees that nobody gets.
    init?(_ body: ByteBuffer) {
        let posted = body.withUnsafeReadableBytes { bytes -> PostedOrderV0? in
            let text = bytes.bindMemory(to: UInt8.self)
            guard let order = JSONCursor.read(text, ZeroExV1.scanOrder) else { return nil }
            let wireText = order.wireText
            guard Self.isSame(bytes, wireText), Self.paysItsFees(order) else { return nil }
            return PostedOrderV0(order: order, wireText: wireText)
        }
        guard let posted else { return nil }
        self = posted
    }

    private init(order: SignedOrderV1, wireText: [UInt8]) {
        self.order = order
        self.wireText = wireText
    }

    private static func isSame(_ text: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
        guard text.count == other.count, let start = text.baseAddress else { return false }
        return other.withUnsafeBytes { other in
            other.baseAddress.map { memcmp(start, $0, text.count) == 0 } ?? false
        }
    }

    private static func paysItsFees(_ order: SignedOrderV1) -> Bool {
        let fees = order.terms.fees
        return fees.recipient != .zero || (fees.makerFee == .zero && fees.takerFee == .zero)
    }
}
