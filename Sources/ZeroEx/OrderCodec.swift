public import StrictJSON

/// How a version's orders are written for relays: all that a relay's client has to know of it.
public protocol OrderCodec: Sendable {
    /// An order in the relay's wire form, read with the tolerance that real relays need.
    ///
    /// - Throws: `OrderError`. The signature is NOT checked here.
    func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder

    /// A list of orders straight from a relay's text, for speed: what `decodeOrder` makes of the
    /// list's elements, or nil where the text is not as plain as a version knows it.
    func scanOrders(_ cursor: inout JSONCursor) -> [any SignedOrder]?

    /// An order in the relay's wire form.
    func encodeOrder(_ order: any SignedOrder) -> JSONValue

    /// An unsigned order in the form in which a relay is asked for its fees.
    func encodeDraft(_ draft: OrderDraft) -> JSONValue

    /// All terms of an unsigned order, as a signer outside of this process is shown them.
    func encodeTerms(_ draft: OrderDraft) -> JSONValue
}

extension OrderCodec {
    /// The same as a relay is asked with.
    public func encodeTerms(_ draft: OrderDraft) -> JSONValue {
        encodeDraft(draft)
    }
}
