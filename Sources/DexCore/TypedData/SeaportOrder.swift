package import Ethereum

/// What an order of Seaport gives and gets.
package struct SeaportOrder: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package enum Asset: Hashable, Sendable {
            case coin
            case token(Address)
            /// One item, or any of a collection.
            case item(Address, id: UInt256)
        }

        package let asset: Asset
        /// Base units, or items: the most that is given, the least that is got.
        package let amount: UInt256
        /// Who gets it; nil for what is given.
        package let recipient: Address?
    }

    package let offerer: Address
    package let gives: [Item]
    package let gets: [Item]
    /// Seconds since 1970.
    package let end: UInt256

    /// Whether typed data are an order of Seaport, by the exact text of their types.
    static func isOrder(_ data: TypedData) -> Bool {
        data.types.encodedType(of: data.primaryType).flatMap(TypedDataKind.init(type:))
            == .seaportOrder
    }

    /// The tokens that are named.
    var tokens: [Address] {
        (gives + gets).compactMap { item in
            if case .token(let address) = item.asset { address } else { nil }
        }
    }

    /// What the offerer gets; the rest are fees.
    package var ownGets: [Item] { gets.filter { $0.recipient == offerer } }

    /// Reads the message of `OrderComponents`; nil for a message of other members.
    init?(_ message: ABIValue) {
        guard case .tuple(let values) = message, values.count == 11,
            case .address(let offerer) = values[0], case .array(let offer) = values[2],
            case .array(let consideration) = values[3], case .uint(let end) = values[6]
        else { return nil }
        let gives = offer.compactMap { Item($0, isOffer: true) }
        let gets = consideration.compactMap { Item($0, isOffer: false) }
        guard gives.count == offer.count, gets.count == consideration.count else { return nil }
        self.offerer = offerer
        self.gives = gives
        self.gets = gets
        self.end = end
    }
}

extension SeaportOrder.Item {
    fileprivate init?(_ value: ABIValue, isOffer: Bool) {
        guard case .tuple(let values) = value, values.count >= 5,
            case .uint(let type) = values[0], case .address(let token) = values[1],
            case .uint(let id) = values[2], case .uint(let start) = values[3],
            case .uint(let end) = values[4]
        else { return nil }
        switch type {
        case 0: asset = .coin
        case 1: asset = .token(token)
        default: asset = .item(token, id: id)
        }
        amount = isOffer ? max(start, end) : min(start, end)
        if values.count > 5, case .address(let address) = values[5] {
            recipient = address
        } else {
            recipient = nil
        }
    }
}
