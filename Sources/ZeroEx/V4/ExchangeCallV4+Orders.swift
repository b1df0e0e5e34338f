extension ExchangeCallV4 {
    /// The limit orders that a call fills, in order; empty for a call that fills none.
    ///
    /// - Parameter domain: of the called contract.
    package func filledOrders(in domain: ExchangeDomainV4) -> [SignedOrderV4] {
        switch self {
        case .limit(.fill(let terms, let signature, _)),
            .limit(.fillOrKill(let terms, let signature, _)):
            [SignedOrderV4(terms: terms, domain: domain, signature: signature)]
        case .limit(.batchFill(let orders, let signatures, _, _)):
            zip(orders, signatures).map { terms, signature in
                SignedOrderV4(terms: terms, domain: domain, signature: signature)
            }
        default: []
        }
    }
}
