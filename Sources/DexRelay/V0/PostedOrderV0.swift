import Ethereum
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
    init?(_ body: ByteBuffer, _ codec: any OrderCodec) {
        let text = body.withUnsafeReadableBytes { bytes in
            var list: [UInt8] = []
            list.reserveCapacity(bytes.count + 2)
            list.append(UInt8(ascii: "["))
            list.append(contentsOf: bytes)
            list.append(UInt8(ascii: "]"))
            return list
        }
        guard let order = JSONCursor.read(text, { codec.scanOrders(&$0) })?.first else {
            return nil
        }
        let wireText = order.wireText
        guard text.dropFirst().dropLast() == wireText[...], Self.paysItsFees(order) else {
            return nil
        }
        self.order = order
        self.wireText = wireText
    }

    private static func paysItsFees(_ order: any SignedOrder) -> Bool {
        guard let fees = (order as? SignedOrderV1)?.terms.fees else { return false }
        return fees.recipient != .zero || (fees.makerFee == .zero && fees.takerFee == .zero)
    }
}
