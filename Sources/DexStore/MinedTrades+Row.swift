import Ethereum
import GRDB
import ZeroEx

/// A row of `trade_transactions`; read together with one of its `trades`.
extension MinedTrades: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "trade_transactions" }

    init(row: Row) throws {
        self.init(
            chainID: try row.value("chain_id"),
            exchange: try row.value("exchange"),
            transaction: try row.value("transaction_hash"),
            sender: try row.value("sender"),
            block: try row.value("block"),
            blockHash: try row.value("block_hash"),
            time: try row.value("time"),
            gasUsed: try row.value("gas_used"),
            gasPrice: try row.value("gas_price"),
            rollupFee: try row.value("rollup_fee"),
            trades: [try Trade(row: row)]
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["hash"] = transaction
        row["sender"] = sender
        row["block"] = try integer(block, "the block")
        row["block_hash"] = blockHash
        row["time"] = try time.map { try integer($0, "the time") }
        row["gas_used"] = try integer(gasUsed, "the gas")
        row["gas_price"] = gasPrice
        row["rollup_fee"] = rollupFee
    }
}

/// A row of `trades`, but for its transaction.
extension MinedTrades.Trade: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "trades" }

    init(row: Row) throws {
        let event: Event =
            if let taker: Address = try row.value("taker") {
                .fill(
                    FillEvent(
                        orderHash: try row.value("order_hash"),
                        maker: try row.value("maker"),
                        taker: taker,
                        feeRecipient: try row.value("fee_recipient"),
                        makerToken: try row.value("maker_token"),
                        takerToken: try row.value("taker_token"),
                        makerAmount: try row.value("maker_amount"),
                        takerAmount: try row.value("taker_amount"),
                        makerFee: try row.value("maker_fee"),
                        takerFee: try row.value("taker_fee")
                    )
                )
            } else {
                .cancel(
                    CancelEvent(
                        orderHash: try row.value("order_hash"),
                        maker: try row.value("maker"),
                        makerToken: try row.value("maker_token"),
                        takerToken: try row.value("taker_token"),
                        makerAmount: try row.value("maker_amount"),
                        takerAmount: try row.value("taker_amount")
                    )
                )
            }
        self.init(
            logIndex: try row.value("log_index"),
            event: event,
            takerArrival: try row.value("taker_arrived"),
            makerArrival: try row.value("maker_arrived")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["log_index"] = try integer(logIndex, "the log index")
        row["order_hash"] = orderHash
        row["maker"] = maker
        row["taker"] = taker
        switch event {
        case .fill(let fill):
            row["kind"] = "fill"
            row["fee_recipient"] = fill.feeRecipient
            row["maker_token"] = fill.makerToken
            row["taker_token"] = fill.takerToken
            row["maker_amount"] = fill.makerAmount
            row["taker_amount"] = fill.takerAmount
            row["maker_fee"] = fill.makerFee
            row["taker_fee"] = fill.takerFee
        case .cancel(let cancel):
            row["kind"] = "cancel"
            row["fee_recipient"] = nil
            row["maker_token"] = cancel.makerToken
            row["taker_token"] = cancel.takerToken
            row["maker_amount"] = cancel.makerAmount
            row["taker_amount"] = cancel.takerAmount
            row["maker_fee"] = nil
            row["taker_fee"] = nil
        }
        row["taker_arrived"] = takerArrival
        row["maker_arrived"] = makerArrival
    }
}
