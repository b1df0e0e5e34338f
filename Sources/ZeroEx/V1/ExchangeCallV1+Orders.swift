package import Ethereum

extension ExchangeCallV1 {
    /// The orders that a call fills, in order, where their signatures are well-formed; empty for a call
    /// that fills none.
    ///
    /// - Parameter exchange: the called contract, which the orders are of.
    package func filledOrders(of exchange: Address) -> [SignedOrderV1] {
        func order(
            _ addresses: OrderAddressesV1,
            _ values: OrderValuesV1,
            _ fields: SignatureFieldsV1
        ) -> SignedOrderV1? {
            fields.signature.map { signature in
                SignedOrderV1(
                    terms: OrderDraft(exchange: exchange, addresses, values),
                    signature: signature
                )
            }
        }
        switch self {
        case .fillOrder(let addresses, let values, _, _, let signature),
            .fillOrKillOrder(let addresses, let values, _, let signature):
            return [order(addresses, values, signature)].compactMap { $0 }
        case .fillOrdersUpTo(let orders, _, _, let signatures),
            .batchFillOrders(let orders, _, _, let signatures),
            .batchFillOrKillOrders(let orders, _, let signatures):
            let fields = zip(zip(signatures.v, signatures.r), signatures.s)
                .map { SignatureFieldsV1(v: $0.0, r: $0.1, s: $1) }
            return zip(zip(orders.addresses, orders.values), fields)
                .compactMap { order($0.0, $0.1, $1) }
        default: return []
        }
    }
}
