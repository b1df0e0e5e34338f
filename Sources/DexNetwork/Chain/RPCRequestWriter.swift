import Ethereum

/// Writes JSON-RPC calls directly as bytes: a book of 10,000 orders asks 20,000 questions.
struct RPCRequestWriter {
    private(set) var bytes: [UInt8] = []
    /// The last block's text: most questions of a request are about the same one.
    private var block: (tag: BlockTag, text: [UInt8])?

    /// A request: one call is an object, several are a batch.
    ///
    /// - Parameter indices: the questions to ask; an index is also the call's id.
    static func request(_ reads: [ChainRead], at indices: [Int]) -> [UInt8] {
        var writer = RPCRequestWriter()
        writer.bytes.reserveCapacity(indices.reduce(2) { $0 + size(of: reads[$1]) })
        if indices.count == 1 {
            writer.write(reads[indices[0]], id: indices[0])
            return writer.bytes
        }
        writer.write("[")
        for (position, index) in indices.enumerated() {
            if position > 0 { writer.write(",") }
            writer.write(reads[index], id: index)
        }
        writer.write("]")
        return writer.bytes
    }

    /// A request to broadcast a transaction; its id is 0.
    static func sendRequest(raw: [UInt8]) -> [UInt8] {
        var writer = RPCRequestWriter()
        writer.open("eth_sendRawTransaction")
        writer.write("\"")
        writer.write(hex: raw)
        writer.write("\"")
        writer.close(id: 0)
        return writer.bytes
    }

    /// A close upper bound of a call's size in bytes.
    static func size(of read: ChainRead) -> Int {
        switch read {
        case .call(let call, _), .estimateGas(let call), .accessList(let call),
            .lineaTip(let call):
            let slots = call.accessList.reduce(0) { $0 + 100 + 70 * $1.storageKeys.count }
            return 560 + 2 * call.data.count + slots
        case .logs(let filter):
            let topics = filter.topics.reduce(0) { $0 + 5 + 70 * $1.count }
            return 200 + 46 * filter.addresses.count + topics
        case .feeHistory(_, let percentiles): return 150 + 5 * percentiles.count
        case .proof(_, let slots, _): return 240 + 70 * slots.count
        case .verbatim(let read): return size(of: read)
        default: return 240
        }
    }

    // MARK: Calls

    private mutating func write(_ read: ChainRead, id: Int) {
        switch read {
        case .chainID: open("eth_chainId")
        case .blockNumber: open("eth_blockNumber")
        case .block(let tag), .header(let tag):
            openBlock(tag)
            write(",false")
        case .fullBlock(let tag):
            openBlock(tag)
            write(",true")
        case .balance(let address, let tag): write("eth_getBalance", address, tag)
        case .transactionCount(let address, let tag):
            write("eth_getTransactionCount", address, tag)
        case .code(let address, let tag): write("eth_getCode", address, tag)
        case .storage(let contract, let slot, let tag):
            open("eth_getStorageAt")
            write(quoted: contract)
            write(",")
            write(quoted: slot)
            write(",")
            write(tag)
        case .proof(let address, let slots, let tag):
            open("eth_getProof")
            write(quoted: address)
            write(",[")
            for (index, slot) in slots.enumerated() {
                if index > 0 { write(",") }
                write(quoted: slot)
            }
            write("],")
            write(tag)
        case .call(let call, let tag):
            open("eth_call")
            write(call)
            write(",")
            write(tag)
        case .estimateGas(let call):
            open("eth_estimateGas")
            write(call)
        case .lineaTip(let call):
            open("linea_estimateGas")
            write(call)
        case .accessList(let call):
            open("eth_createAccessList")
            write(call)
            write(",")
            write(.latest)
        case .syncing: open("eth_syncing")
        case .gasPrice: open("eth_gasPrice")
        case .maxPriorityFeePerGas: open("eth_maxPriorityFeePerGas")
        case .feeHistory(let blocks, let percentiles):
            open("eth_feeHistory")
            write(quoted: "0x" + String(max(0, blocks), radix: 16))
            write(",\"latest\",[")
            write(percentiles.map(String.init).joined(separator: ","))
            write("]")
        case .logs(let filter):
            open("eth_getLogs")
            write(filter)
        case .transaction(let hash):
            open("eth_getTransactionByHash")
            write(quoted: hash.word)
        case .receipt(let hash):
            open("eth_getTransactionReceipt")
            write(quoted: hash.word)
        case .verbatim(let read): return write(read, id: id)
        }
        close(id: id)
    }

    private mutating func open(_ method: StaticString) {
        write("{\"jsonrpc\":\"2.0\",\"method\":\"")
        write(method)
        write("\",\"params\":[")
    }

    private mutating func openBlock(_ tag: BlockTag) {
        if case .hash = tag { open("eth_getBlockByHash") } else { open("eth_getBlockByNumber") }
        write(quoted: tag.parameter)
    }

    private mutating func close(id: Int) {
        write("],\"id\":")
        write(String(id))
        write("}")
    }

    private mutating func write(_ method: StaticString, _ address: Address, _ tag: BlockTag) {
        open(method)
        write(quoted: address)
        write(",")
        write(tag)
    }

    private mutating func write(_ call: CallRequest) {
        write("{")
        if let from = call.from {
            write("\"from\":")
            write(quoted: from)
            write(",")
        }
        write("\"to\":")
        write(quoted: call.to)
        // Every node knows this name; "input" is newer.
        write(",\"data\":\"")
        write(hex: call.data)
        write("\"")
        if call.value != .zero {
            write(",\"value\":")
            write(quoted: call.value.rawValue.quantity)
        }
        if let gas = call.gas {
            write(",\"gas\":")
            write(quoted: "0x" + String(gas, radix: 16))
        }
        switch call.fee {
        case nil: break
        case .legacy(let price)?, .accessList(let price)?:
            write(",\"gasPrice\":")
            write(quoted: price.rawValue.quantity)
        case .dynamic(let maximum, let tip)?:
            write(",\"maxFeePerGas\":")
            write(quoted: maximum.rawValue.quantity)
            write(",\"maxPriorityFeePerGas\":")
            write(quoted: tip.rawValue.quantity)
        }
        if !call.accessList.isEmpty {
            write(",\"accessList\":[")
            for (position, entry) in call.accessList.enumerated() {
                write(position > 0 ? ",{\"address\":" : "{\"address\":")
                write(quoted: entry.address)
                write(",\"storageKeys\":")
                write(words: entry.storageKeys)
                write("}")
            }
            write("]")
        }
        write("}")
    }

    private mutating func write(_ filter: LogFilter) {
        if let hash = filter.blockHash {
            write("{\"blockHash\":")
            write(quoted: hash.word)
        } else {
            write("{\"fromBlock\":")
            write(filter.fromBlock)
            write(",\"toBlock\":")
            write(filter.toBlock)
        }
        if !filter.addresses.isEmpty {
            write(",\"address\":[")
            for (position, address) in filter.addresses.enumerated() {
                if position > 0 { write(",") }
                write(quoted: address)
            }
            write("]")
        }
        if !filter.topics.isEmpty {
            write(",\"topics\":[")
            for (position, choices) in filter.topics.enumerated() {
                if position > 0 { write(",") }
                if choices.isEmpty { write("null") } else { write(words: choices) }
            }
            write("]")
        }
        write("}")
    }

    // MARK: Values

    private mutating func write(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    private mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// A block whose state is read; by its hash only if it is in the node's chain.
    private mutating func write(_ tag: BlockTag) {
        if let block, block.tag == tag {
            bytes += block.text
            return
        }
        let start = bytes.count
        if case .hash(let hash) = tag {
            write("{\"blockHash\":")
            write(quoted: hash.word)
            write(",\"requireCanonical\":true}")
        } else {
            write(quoted: tag.parameter)
        }
        block = (tag, Array(bytes[start...]))
    }

    private mutating func write(quoted text: String) {
        write("\"")
        write(text)
        write("\"")
    }

    private mutating func write(quoted word: Bytes32) {
        write("\"")
        word.withUnsafeBytes { write(hex: $0) }
        write("\"")
    }

    private mutating func write(quoted address: Address) {
        write("\"")
        address.word.withUnsafeBytes { write(hex: UnsafeRawBufferPointer(rebasing: $0[12...])) }
        write("\"")
    }

    private mutating func write(words: [Bytes32]) {
        write("[")
        for (position, word) in words.enumerated() {
            if position > 0 { write(",") }
            write(quoted: word)
        }
        write("]")
    }

    private mutating func write(hex data: [UInt8]) {
        data.withUnsafeBytes { write(hex: $0) }
    }

    private mutating func write(hex data: UnsafeRawBufferPointer) {
        write("0x")
        Hex.append(digitsOf: data, to: &bytes)
    }
}
