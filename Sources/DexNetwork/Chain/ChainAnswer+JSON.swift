import Ethereum
import StrictJSON

extension ChainAnswer {
    /// The answer in a JSON-RPC result.
    ///
    /// It is checked against the question as far as possible: the number of a block, the hash of a
    /// transaction or receipt, the addresses and topics of logs.
    ///
    /// - Throws: `ChainError.nonsense`.
    init(_ json: JSONValue, to read: ChainRead) throws(ChainError) {
        switch read {
        case .chainID: self = .number(try RPCDecoder.number(json, "the chain id"))
        case .blockNumber: self = .number(try RPCDecoder.count(json, "the block number"))
        case .transactionCount:
            self = .number(try RPCDecoder.count(json, "the transaction count"))
        case .estimateGas: self = .number(try RPCDecoder.number(json, "the gas estimate"))
        case .balance: self = .wei(Wei(try RPCDecoder.quantity(json, "the balance")))
        case .gasPrice: self = .wei(Wei(try RPCDecoder.quantity(json, "the gas price")))
        case .lineaTip:
            let estimate = try RPCDecoder(json, subject: "gas estimate")
            self = .wei(Wei(try estimate.quantity("priorityFeePerGas")))
        case .maxPriorityFeePerGas: self = .wei(Wei(try RPCDecoder.quantity(json, "the tip")))
        case .call: self = .bytes(try RPCDecoder.bytes(json, "the result of the call"))
        case .code: self = .bytes(try RPCDecoder.bytes(json, "the code"))
        case .storage: self = .word(try RPCDecoder.storageWord(json, "the word of storage"))
        case .block(let tag): self = .block(json.isNull ? nil : try Block(json, at: tag))
        case .fullBlock(let tag):
            self = .fullBlock(json.isNull ? nil : try FullBlock(json, at: tag))
        case .feeHistory(let blocks, let percentiles):
            self = .feeHistory(
                try FeeHistory(json, blocks: blocks, percentiles: percentiles.count)
            )
        case .logs(let filter): self = .logs(try Log.list(json, filter: filter))
        case .transaction(let hash):
            self = .transaction(json.isNull ? nil : try TransactionInfo(json, hash: hash))
        case .receipt(let hash):
            self = .receipt(json.isNull ? nil : try TransactionReceipt(json, hash: hash))
        case .accessList: self = .accessList(try AccessListTrace(json))
        case .syncing: self = .number(try Self.missingBlocks(json))
        case .header(let tag):
            self = .header(json.isNull ? nil : try BlockHeader(json, at: tag))
        case .proof(let address, let slots, _):
            self = .proof(try Self.proof(json, address, slots))
        case .verbatim(let read): self = .verbatim(json, try ChainAnswer(json, to: read))
        }
    }
}

extension ChainAnswer {
    /// `false`, or an object; some nodes start to sync before they know the target block.
    fileprivate static func missingBlocks(_ json: JSONValue) throws(ChainError) -> UInt64 {
        if json.boolValue == false { return 0 }
        let progress = try RPCDecoder(json, subject: "progress of syncing")
        let current = try progress.optional("currentBlock", RPCDecoder.number)
        let highest = try progress.optional("highestBlock", RPCDecoder.number)
        guard let current, let highest, highest > current else { return 1 }
        return highest - current
    }
}

extension ChainAnswer {
    fileprivate static func proof(
        _ json: JSONValue,
        _ address: Address,
        _ slots: [Bytes32]
    ) throws(ChainError) -> AccountProof {
        do throws(ProofError) {
            return try AccountProof(json: json, address: address, slots: slots)
        } catch {
            throw .nonsense(RPCDecoder.clause(error.description))
        }
    }
}

extension BlockHeader {
    /// - Throws: `ChainError.nonsense`, also for a block that was not requested.
    fileprivate init(_ json: JSONValue, at tag: BlockTag) throws(ChainError) {
        do throws(HeaderError) {
            try self.init(json: json)
        } catch {
            throw .nonsense(RPCDecoder.clause(error.description))
        }
        switch tag {
        case .number(let wanted) where wanted != number:
            throw .nonsense("it is block \(number), but block \(wanted) was asked for")
        case .hash(let wanted) where wanted != hash:
            throw .nonsense("it is block \(hash), but block \(wanted) was asked for")
        default: break
        }
    }
}

extension Block {
    /// - Throws: `ChainError.nonsense`, also for a block that was not requested.
    init(_ json: JSONValue, at tag: BlockTag) throws(ChainError) {
        let block = try RPCDecoder(json, subject: "block")
        let number = try block.count("number")
        // Development chains have limits of 2^64 - 1.
        // Some nodes have none for old blocks: no limit is known then. By the latest one's it is planned.
        let gasLimit =
            switch tag {
            case .number, .hash: try block.optional("gasLimit", RPCDecoder.number) ?? .max
            default: try block.number("gasLimit")
            }
        let gasUsed = try block.count("gasUsed")
        guard gasUsed <= gasLimit else {
            throw .nonsense("block \(number) uses more gas than its limit")
        }
        if case .number(let wanted) = tag, wanted != number {
            throw .nonsense("it is block \(number), but block \(wanted) was asked for")
        }
        let hash = BlockHash(try block.word("hash"))
        if case .hash(let wanted) = tag, wanted != hash {
            throw .nonsense("it is block \(hash), but block \(wanted) was asked for")
        }
        self.init(
            number: number,
            hash: hash,
            parentHash: BlockHash(try block.word("parentHash")),
            timestamp: try block.count("timestamp"),
            baseFeePerGas: try block.optional("baseFeePerGas", RPCDecoder.wei),
            gasLimit: gasLimit,
            gasUsed: gasUsed,
            coinbase: try block.optional("miner", RPCDecoder.address),
            random: try block.optional("mixHash", RPCDecoder.word)
        )
    }
}

extension FullBlock {
    /// - Throws: `ChainError.nonsense`, also for a block that was not requested, and for
    ///   transactions without their fields.
    init(_ json: JSONValue, at tag: BlockTag) throws(ChainError) {
        let block = try Block(json, at: tag)
        let list = try RPCDecoder(json, subject: "block").required("transactions")
        var transactions: [BlockTransaction] = []
        for element in try RPCDecoder.array(list, "the block's transactions") {
            let transaction = try RPCDecoder(element, subject: "transaction of a block")
            transactions.append(
                BlockTransaction(
                    hash: TransactionHash(try transaction.word("hash")),
                    from: try transaction.address("from"),
                    to: try transaction.optional("to", RPCDecoder.address),
                    value: Wei(try transaction.quantity("value")),
                    data: try transaction.optional("input", RPCDecoder.bytes)
                )
            )
        }
        guard Set(transactions.map(\.hash)).count == transactions.count else {
            throw .nonsense("a block has the same transaction twice")
        }
        self.init(block: block, transactions: transactions)
    }
}

extension FeeHistory {
    /// - Throws: `ChainError.nonsense`, also for more blocks than were asked for.
    init(_ json: JSONValue, blocks: Int, percentiles: Int) throws(ChainError) {
        let history = try RPCDecoder(json, subject: "fee history")
        var baseFees: [Wei] = []
        let base = try RPCDecoder.array(
            history.optional("baseFeePerGas") ?? .array([]),
            "the fee history's baseFeePerGas"
        )
        guard base.count <= blocks.clamped + 1 else {
            throw .nonsense("the fee history has more blocks than were asked for")
        }
        for fee in base {
            // Base fees with a hole say nothing about the next block.
            guard let fee = try? RPCDecoder.quantity(fee, "a base fee") else {  // nil: no number
                baseFees = []
                break
            }
            baseFees.append(Wei(fee))
        }
        var rewards: [[Wei]] = []
        let rows = try RPCDecoder.array(
            history.optional("reward") ?? .array([]),
            "the fee history's reward"
        )
        guard rows.count <= blocks.clamped else {
            throw .nonsense("the fee history has more blocks than were asked for")
        }
        for row in rows {
            // An empty block has no tips, and nodes write that in several ways: null, an empty or a
            // short list. Its place stays, without tips.
            let tips = row.arrayValue ?? []
            let values = tips.compactMap { tip in
                (try? RPCDecoder.quantity(tip, "a tip")).map { Wei($0) }  // nil: no number
            }
            rewards.append(
                values.count == percentiles && tips.count == percentiles ? values : []
            )
        }
        self.init(
            oldestBlock: try history.number("oldestBlock"),
            baseFeePerGas: baseFees,
            rewards: rewards
        )
    }
}

extension Int {
    /// The requested number of blocks: never negative, with room for one more.
    fileprivate var clamped: Int {
        Swift.min(Swift.max(0, self), Int.max - 1)
    }
}

extension TransactionInfo {
    /// - Throws: `ChainError.nonsense`, also for a transaction that was not requested.
    init(_ json: JSONValue, hash: TransactionHash) throws(ChainError) {
        let transaction = try RPCDecoder(json, subject: "transaction")
        guard try transaction.word("hash") == hash.word else {
            throw .nonsense("it is another transaction than the one that was asked for")
        }
        self.init(
            hash: hash,
            from: try transaction.address("from"),
            to: try transaction.optional("to", RPCDecoder.address),
            nonce: try transaction.number("nonce"),
            value: Wei(try transaction.quantity("value")),
            gasLimit: try transaction.number("gas"),
            data: try transaction.bytes("input"),
            authorizations: try transaction.optional("authorizationList", Self.authorizations)
                ?? [],
            blockNumber: try transaction.optional("blockNumber", RPCDecoder.number),
            blockHash: try transaction.optional("blockHash", RPCDecoder.word).map { BlockHash($0) }
        )
    }

    private static func authorizations(
        _ json: JSONValue,
        _ name: String
    ) throws(ChainError) -> [Transaction.Authorization] {
        var list: [Transaction.Authorization] = []
        for element in try RPCDecoder.array(json, name) {
            guard let authorization = Transaction.Authorization(element) else {
                throw .nonsense("\(name) has something else than authorizations")
            }
            list.append(authorization)
        }
        return list
    }
}

extension TransactionReceipt {
    /// - Throws: `ChainError.nonsense`, also for a receipt that was not requested.
    init(_ json: JSONValue, hash: TransactionHash) throws(ChainError) {
        let receipt = try RPCDecoder(json, subject: "receipt")
        guard try receipt.word("transactionHash") == hash.word else {
            throw .nonsense("it is the receipt of another transaction than the one asked for")
        }
        let status = try receipt.number("status")
        guard status <= 1 else { throw .nonsense("the receipt's status is neither 0 nor 1") }
        var logs: [Log] = []
        for log in try Self.logs(of: receipt) {
            let log = try Log(log)
            guard log.transactionHash == nil || log.transactionHash == hash else {
                throw .nonsense("the receipt has a log of another transaction")
            }
            logs.append(log)
        }
        self.init(
            transactionHash: hash,
            blockNumber: try receipt.count("blockNumber"),
            blockHash: BlockHash(try receipt.word("blockHash")),
            from: try receipt.address("from"),
            to: try receipt.optional("to", RPCDecoder.address),
            succeeded: status == 1,
            gasUsed: try receipt.count("gasUsed"),
            effectiveGasPrice: try receipt.optional("effectiveGasPrice", RPCDecoder.wei),
            rollupFee: try Self.rollupFee(receipt),
            logs: logs
        )
    }

    /// Some nodes write null for none: then the block's filter of logs must be empty too.
    private static func logs(of receipt: RPCDecoder) throws(ChainError) -> [JSONValue] {
        guard receipt.members["logs"]?.isNull == true else {
            return try RPCDecoder.array(receipt.required("logs"), "the receipt's logs")
        }
        let bloom = try receipt.optional("logsBloom", RPCDecoder.bytes) ?? []
        guard bloom.allSatisfy({ $0 == 0 }) else {
            throw .nonsense("the receipt has no logs, and a filter of some")
        }
        return []
    }

    /// The data fee and the operator fee of a rollup's receipt; nil without a data fee.
    ///
    /// The OP Stack writes the operator fee as its two parameters: per million units of gas, and
    /// since Jovian, whose receipts name a footprint, a hundred per unit.
    ///
    /// Source: op-geth, receipt_opstack.go; the OP Stack's specifications of Isthmus and Jovian.
    private static func rollupFee(_ receipt: RPCDecoder) throws(ChainError) -> Wei? {
        guard let dataFee = try receipt.optional("l1Fee", RPCDecoder.wei) else { return nil }
        let scalar = try receipt.optional("operatorFeeScalar", RPCDecoder.wei)?.rawValue ?? 0
        let constant = try receipt.optional("operatorFeeConstant", RPCDecoder.wei)?.rawValue ?? 0
        let isJovian = receipt.optional("daFootprintGasScalar") != nil
        let gas = UInt256(try receipt.count("gasUsed"))
        let (factor, divisor): (UInt256, UInt256) = isJovian ? (100, 1) : (1, 1_000_000)
        let (product, isVast) = gas.multipliedReportingOverflow(by: factor)
        guard !isVast, let share = UInt256.mulDiv(product, scalar, divisor),
            let operatorFee = Wei(share.quotient).adding(Wei(constant)),
            let sum = dataFee.adding(operatorFee)
        else { throw .nonsense("the receipt's fees exceed 256 bits") }
        return sum
    }
}

extension Log {
    private static let maximumTopics = 4

    /// - Throws: `ChainError.nonsense`.
    init(_ json: JSONValue) throws(ChainError) {
        let log = try RPCDecoder(json, subject: "log")
        var topics: [Bytes32] = []
        let list = try RPCDecoder.array(log.required("topics"), "the log's topics")
        guard list.count <= Self.maximumTopics else {
            throw .nonsense("the log has more than \(Self.maximumTopics) topics")
        }
        for topic in list { topics.append(try RPCDecoder.word(topic, "a log's topic")) }
        self.init(
            address: try log.address("address"),
            topics: topics,
            data: try log.bytes("data"),
            blockNumber: try log.optional("blockNumber", RPCDecoder.count),
            blockHash: try log.optional("blockHash", RPCDecoder.word).map { BlockHash($0) },
            transactionHash: try log.optional("transactionHash", RPCDecoder.word).map {
                TransactionHash($0)
            },
            logIndex: try log.optional("logIndex", RPCDecoder.count),
            blockTimestamp: try log.optional("blockTimestamp", RPCDecoder.count)
        )
    }

    /// The logs of a filter, without those that a reorganisation removed.
    ///
    /// - Throws: `ChainError.nonsense`, also for a log that the filter excludes.
    static func list(_ json: JSONValue, filter: LogFilter) throws(ChainError) -> [Log] {
        // How some nodes write an empty list.
        if json.isNull { return [] }
        let pattern = LogPattern(filter)
        var logs: [Log] = []
        for element in try RPCDecoder.array(json, "the list of logs") {
            if element["removed"]?.boolValue == true { continue }
            let log = try Log(element)
            guard pattern.matches(log) else {
                throw .nonsense("there is a log that was not asked for")
            }
            logs.append(log)
        }
        return logs
    }
}
