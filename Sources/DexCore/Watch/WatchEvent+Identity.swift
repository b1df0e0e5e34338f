import DexStore
import Ethereum
import ZeroEx

/// What makes an event the same one, wherever in the chain it stands.
extension WatchTarget {
    /// Of an exchange's or a token's event in a transaction, or of ether that one paid.
    ///
    /// Block and position are no part of it: a reorganization changes both.
    ///
    /// - Parameters:
    ///   - token: nil is ether.
    ///   - ordinal: counts those that are alike in all else, by their logs' order.
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
            expiry: nil,
            place: place
        )
    }

    /// Of an order's own state.
    ///
    /// - Parameter ordinal: how often its funds changed before.
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
            transaction: nil,
            token: order.makerToken,
            amount: gives,
            otherToken: order.takerToken,
            otherAmount: gets,
            counterparty: nil,
            expiry: order.expiry,
            place: place
        )
    }

    /// Of ether that no transaction of a block explains; in another block it is another one.
    func unexplained(
        _ kind: WatchEvent.Kind,
        _ amount: UInt256,
        _ place: WatchEvent.Place
    ) -> WatchEvent {
        WatchEvent(
            key: key([kind.rawValue, "block", place.block.hash.hex]),
            kind: kind,
            orderHash: nil,
            transaction: nil,
            token: nil,
            amount: amount,
            otherToken: nil,
            otherAmount: nil,
            counterparty: nil,
            expiry: nil,
            place: place
        )
    }

    private func key(_ parts: [String]) -> Bytes32 {
        let all = [String(chainID), exchange.lowercaseHex, account.lowercaseHex] + parts
        return Keccak256.hash(all.joined(separator: "|").utf8)
    }
}
