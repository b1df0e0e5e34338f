public import StrictJSON

/// The wire format of a version's orders: all that a relay client needs to know of it.
public protocol OrderCodec: Sendable {
    /// Decodes an order in the relay's wire form, tolerant of the variants of real relays.
    ///
    /// - Throws: `OrderError`. The signature is NOT checked here.
    func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder

    /// Scans a list of orders directly from a relay's text, for speed.
    ///
    /// The result equals `decodeOrder` of each element; nil if the text is not in the plain form
    /// that the scanner knows.
    func scanOrders(_ cursor: inout JSONCursor) -> [any SignedOrder]?

    /// An order in the relay's wire form.
    func encodeOrder(_ order: any SignedOrder) -> JSONValue

    /// An unsigned order in the form of a relay's fee request.
    func encodeDraft(_ draft: OrderDraft) -> JSONValue

    /// All terms of an unsigned order, in the form shown to an external signer.
    func encodeTerms(_ draft: OrderDraft) -> JSONValue
}

extension OrderCodec {
    /// The form of a relay's fee request.
    public func encodeTerms(_ draft: OrderDraft) -> JSONValue {
        encodeDraft(draft)
    }
}
