import Ethereum
import GRDB
import ZeroEx

extension MinedTrades {
    init(row: Row, trades: [Trade]) throws {
        self.init(
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            exchange: try Address(lenient: row["exchange"]),
            transaction: try TransactionHash(hex: row["transaction_hash"]),
            sender: try Address(lenient: row["sender"]),
            block: UInt64(clamping: row["block"] as Int64),
            blockHash: try BlockHash(hex: row["block_hash"]),
            time: (row["time"] as Int64?).map { UInt64(clamping: $0) },
            gasUsed: UInt64(clamping: row["gas_used"] as Int64),
            gasPrice: try Self.gasPrice(row),
            rollupFee: try Self.rollupFee(row),
            trades: trades
        )
    }

    static func gasPrice(_ row: Row) throws -> Wei? {
        try (row["gas_price"] as String?).map { Wei(try UInt256(column: $0)) }
    }

    static func rollupFee(_ row: Row) throws -> Wei? {
        try (row["rollup_fee"] as String?).map { Wei(try UInt256(column: $0)) }
    }
}

extension MinedTrades.Trade {
    init(row: Row) throws {
        let taker: String? = row["taker"]
        let event: Event
        let orderHash = try OrderHash(hex: row["order_hash"])
        let maker = try Address(lenient: row["maker"])
        let makerToken = try Address(lenient: row["maker_token"])
        let takerToken = try Address(lenient: row["taker_token"])
        let makerAmount = try UInt256(column: row["maker_amount"])
        let takerAmount = try UInt256(column: row["taker_amount"])
        if let taker {
            event = .fill(
                FillEvent(
                    orderHash: orderHash,
                    maker: maker,
                    taker: try Address(lenient: taker),
                    feeRecipient: try Address(lenient: row["fee_recipient"]),
                    makerToken: makerToken,
                    takerToken: takerToken,
                    makerAmount: makerAmount,
                    takerAmount: takerAmount,
                    makerFee: try UInt256(column: row["maker_fee"]),
                    takerFee: try UInt256(column: row["taker_fee"])
                )
            )
        } else {
            event = .cancel(
                CancelEvent(
                    orderHash: orderHash,
                    maker: maker,
                    makerToken: makerToken,
                    takerToken: takerToken,
                    makerAmount: makerAmount,
                    takerAmount: takerAmount
                )
            )
        }
        self.init(
            logIndex: UInt64(clamping: row["log_index"] as Int64),
            event: event,
            takerArrival: try TradeArrival(column: row["taker_arrived"]),
            makerArrival: try TradeArrival(column: row["maker_arrived"])
        )
    }
}

extension TradeArrival {
    /// A text that stands for an amount that is not proven.
    private static let unknown = "unknown"

    /// nil for NULL.
    init?(column text: String?) throws {
        guard let text else { return nil }
        self = text == Self.unknown ? .unproven : .proven(try UInt256(column: text))
    }

    /// The column's text.
    var column: String { amount?.description ?? Self.unknown }
}

extension UInt256 {
    /// An amount in the journal's form: decimal digits.
    init(column text: String) throws {
        guard let value = UInt256(text) else {
            throw JournalError.outOfRange("the amount \(text)")
        }
        self = value
    }
}
