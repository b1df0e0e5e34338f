import DexStore
import Ethereum
import ZeroEx

/// The identity of an event, independent of its position in the chain.
extension WatchTarget {
    /// An exchange's or token's event in a transaction, or ether that a transaction paid.
    ///
    /// Block and index are excluded: a reorganization changes both.
    ///
    /// - Parameters:
    ///   - token: nil is ether.
    ///   - ordinal: counts otherwise equal events, in the order of their logs.
    func event(
        _ kind: WatchEvent.Kind,
        in transaction: TransactionHash,
        order: OrderHash? = nil,
        token: Address?,
        amount: UInt256,
        other: (token: Address, amount: UInt256)? = nil,
        counterparty: Address?,
        ordinal: Int,
        place: WatchEvent.Place
    ) -> WatchEvent {
        WatchEvent(
            key: key([
                kind.rawValue, transaction.hex, order?.hex ?? "", token?.lowercaseHex ?? "ether",
                amount.description, other?.token.lowercaseHex ?? "",
                other?.amount.description ?? "", counterparty?.lowercaseHex ?? "",
                String(ordinal),
            ]),
            kind: kind,
            orderHash: order,
            transaction: transaction,
            token: token,
            amount: amount,
            otherToken: other?.token,
            otherAmount: other?.amount,
            counterparty: counterparty,
            place: place
        )
    }

    /// An event of an order's own state.
    ///
    /// - Parameter ordinal: the number of earlier changes of its funds.
    func event(
        _ kind: WatchEvent.Kind,
        of order: any SignedOrder,
        gives: UInt256,
        gets: UInt256,
        ordinal: Int = 0,
        place: WatchEvent.Place
    ) -> WatchEvent {
        WatchEvent(
            key: key([kind.rawValue, order.hash.hex, String(ordinal)]),
            kind: kind,
            orderHash: order.hash,
            token: order.makerToken,
            amount: gives,
            otherToken: order.takerToken,
            otherAmount: gets,
            expiry: order.expiry,
            place: place
        )
    }

    /// Ether that no transaction of a block explains; in another block it is a different event.
    func unexplained(
        _ kind: WatchEvent.Kind,
        _ amount: UInt256,
        _ place: WatchEvent.Place
    ) -> WatchEvent {
        WatchEvent(
            key: key([kind.rawValue, "block", place.block.hash.hex]),
            kind: kind,
            amount: amount,
            place: place
        )
    }

    /// An alert that fired; each time is a different event.
    func event(_ alert: JournalAlert, value: String, place: WatchEvent.Place) -> WatchEvent {
        WatchEvent(
            key: key([
                WatchEvent.Kind.alert.rawValue, String(alert.id), String(alert.created),
                String(alert.turn),
            ]),
            kind: .alert,
            amount: .zero,
            alert: FiredAlert(id: alert.id, text: alert.text, value: value),
            place: place
        )
    }

    private func key(_ parts: [String]) -> Bytes32 {
        let all = [String(chainID), exchange.lowercaseHex, account.lowercaseHex] + parts
        return Keccak256.hash(all.joined(separator: "|").utf8)
    }
}
