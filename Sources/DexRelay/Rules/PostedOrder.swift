import ZeroEx

/// A posted order, before it is checked.
struct PostedOrder {
    let order: any SignedOrder
    /// The order in the relay's wire form, if it was posted so.
    let wireText: [UInt8]?

    init(_ order: any SignedOrder, wireText: [UInt8]? = nil) {
        self.order = order
        self.wireText = wireText
    }
}
