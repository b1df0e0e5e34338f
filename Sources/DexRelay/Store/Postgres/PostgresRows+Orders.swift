import Ethereum
import PostgresClient
import ZeroEx

/// Values of a relay in rows.
extension PostgresRows {
    /// The columns that `order` reads, of the table or alias `o`.
    static let orderColumns = """
        o.hash, o.protocol, o.maker, o.maker_token, o.taker_token, o.body, o.received_at, o.state, \
        o.fillable, o.is_partly_filled, o.since, o.change, o.was_hidden
        """

    /// An order in columns from `first` on; nil if its version is not known to this program.
    func order(_ row: Int, from first: Int) throws(PostgresFailure) -> ListedOrder? {
        guard let version = try ProtocolVersion(rawValue: text(row, first + 1)) else { return nil }
        guard let fillable = try UInt256(bigEndian: bytes(row, first + 8)) else { throw .malformed }
        return ListedOrder(
            hash: OrderHash(try word(row, first)),
            version: version,
            maker: try address(row, first + 2),
            direction: PairDirection(
                makerToken: try address(row, first + 3),
                takerToken: try address(row, first + 4)
            ),
            body: try bytes(row, first + 5),
            receivedAt: try natural(row, first + 6),
            state: try state(row, first + 7),
            standing: OrderStanding(
                fillable: fillable,
                isPartlyFilled: try boolean(row, first + 9)
            ),
            since: try natural(row, first + 10),
            change: try natural(row, first + 11),
            wasHidden: try boolean(row, first + 12)
        )
    }

    /// The orders of rows with these columns alone, without those that this program does not know.
    func orders() throws(PostgresFailure) -> [ListedOrder] {
        var orders: [ListedOrder] = []
        for row in 0..<count {
            if let order = try order(row, from: 0) { orders.append(order) }
        }
        return orders
    }

    func word(_ row: Int, _ column: Int) throws(PostgresFailure) -> Bytes32 {
        guard let word = Bytes32(bytes: try bytes(row, column)) else { throw .malformed }
        return word
    }

    func address(_ row: Int, _ column: Int) throws(PostgresFailure) -> Address {
        guard let address = Address(bytes: try bytes(row, column)) else { throw .malformed }
        return address
    }

    func natural(_ row: Int, _ column: Int) throws(PostgresFailure) -> UInt64 {
        guard let number = UInt64(exactly: try integer(row, column)) else { throw .malformed }
        return number
    }

    func state(_ row: Int, _ column: Int) throws(PostgresFailure) -> ListingState {
        guard let state = ListingState(rawValue: try text(row, column)) else { throw .malformed }
        return state
    }

    /// nil: the value is null.
    func stateIfAny(_ row: Int, _ column: Int) throws(PostgresFailure) -> ListingState? {
        try isNull(row, column) ? nil : try state(row, column)
    }

    /// Sequences of markets in rows of protocol, two tokens and a number.
    func sequences() throws(PostgresFailure) -> [MarketKey: UInt64] {
        var sequences: [MarketKey: UInt64] = [:]
        for row in 0..<count {
            guard let version = try ProtocolVersion(rawValue: text(row, 0)) else { continue }
            let pair = PairDirection(
                makerToken: try address(row, 1),
                takerToken: try address(row, 2)
            )
            sequences[MarketKey(version: version, pair: pair)] = try natural(row, 3)
        }
        return sequences
    }
}
