/// Reads the fields of a raw signed transaction; the caller checks the signature.
struct TransactionDecoder {
    private var fields: ArraySlice<RLP>

    /// A transaction and its signature from their exact canonical encoding.
    ///
    /// - Throws: `TransactionError.malformed`, `.unsupportedType`.
    static func decode(
        _ raw: [UInt8]
    ) throws(TransactionError) -> (Transaction, Signature) {
        guard let type = raw.first else { throw .malformed("there are no bytes") }
        switch type {
        case 0xC0...0xFF: return try legacy(raw)
        case 0x01, 0x02, 0x04: return try typed(type, Array(raw.dropFirst()))
        case 0x00...0x7F: throw .unsupportedType(type)
        default: throw .malformed("it begins neither with a type nor with a list")
        }
    }

    private static func legacy(
        _ raw: [UInt8]
    ) throws(TransactionError) -> (Transaction, Signature) {
        var decoder = try TransactionDecoder(raw, count: 9)
        let nonce = try decoder.nonce()
        let gasPrice = try decoder.wei("gas price")
        let gasLimit = try decoder.uint64("gas limit")
        let to = try decoder.recipient()
        let value = try decoder.wei("value")
        let data = try decoder.bytes("data")
        let v = try decoder.integer("v")
        // EIP-155: v is 35 + 2 * chain + parity; earlier it was 27 or 28.
        let chainID: UInt64?
        let yParity: UInt256
        switch v {
        case 27, 28:
            chainID = nil
            yParity = v - 27
        case 37...:
            guard let chain = ((v - 35) >> 1).uint64 else {
                throw .malformed("the chain id exceeds 64 bits")
            }
            chainID = chain
            yParity = (v - 35) & 1
        default:
            throw .malformed("v is \(v), which is neither 27, 28 nor from a chain id")
        }
        let transaction = Transaction(
            chainID: chainID,
            nonce: nonce,
            fee: .legacy(gasPrice: gasPrice),
            gasLimit: gasLimit,
            to: to,
            value: value,
            data: data
        )
        return (transaction, try decoder.signature(yParity: yParity))
    }

    private static func typed(
        _ type: UInt8,
        _ payload: [UInt8]
    ) throws(TransactionError) -> (Transaction, Signature) {
        var decoder = try TransactionDecoder(payload, count: type == 4 ? 13 : type == 1 ? 11 : 12)
        let chainID = try decoder.uint64("chain id")
        let nonce = try decoder.nonce()
        let fee: Transaction.Fee
        if type == 1 {
            fee = .accessList(gasPrice: try decoder.wei("gas price"))
        } else {
            let tip = try decoder.wei("priority fee")
            fee = .dynamic(maxFeePerGas: try decoder.wei("fee"), maxPriorityFeePerGas: tip)
        }
        var transaction = Transaction(
            chainID: chainID,
            nonce: nonce,
            fee: fee,
            gasLimit: try decoder.uint64("gas limit"),
            to: try decoder.recipient(),
            value: try decoder.wei("value"),
            data: try decoder.bytes("data"),
            accessList: try decoder.accessList()
        )
        if type == 4 {
            guard transaction.to != nil else {
                throw .malformed("a transaction of type 4 creates no contract")
            }
            transaction.authorizations = try decoder.authorizations()
        }
        let yParity = try decoder.integer("signature parity")
        return (transaction, try decoder.signature(yParity: yParity))
    }

    private init(_ payload: [UInt8], count: Int) throws(TransactionError) {
        let item: RLP
        do throws(RLPError) {
            item = try RLP.decode(payload)
        } catch {
            throw .malformed("its RLP is not canonical (\(error.reason))")
        }
        guard case .list(let fields) = item, fields.count == count else {
            throw .malformed("it is not a list of \(count) fields")
        }
        self.fields = fields[...]
    }

    private mutating func next() throws(TransactionError) -> RLP {
        guard let field = fields.popFirst() else { throw .malformed("a field is missing") }
        return field
    }

    private mutating func bytes(_ name: String) throws(TransactionError) -> [UInt8] {
        guard case .bytes(let bytes) = try next() else {
            throw .malformed("the \(name) is a list")
        }
        return bytes
    }

    private mutating func integer(_ name: String) throws(TransactionError) -> UInt256 {
        guard let value = try next().unsignedInteger else {
            throw .malformed("the \(name) is not an integer in its shortest form")
        }
        return value
    }

    private mutating func uint64(_ name: String) throws(TransactionError) -> UInt64 {
        guard let value = try integer(name).uint64 else {
            throw .malformed("the \(name) exceeds 64 bits")
        }
        return value
    }

    private mutating func nonce() throws(TransactionError) -> UInt64 {
        let nonce = try uint64("nonce")
        guard nonce < .max else {
            throw .malformed("the nonce is 2^64 - 1, which EIP-2681 refuses")
        }
        return nonce
    }

    private mutating func wei(_ name: String) throws(TransactionError) -> Wei {
        Wei(try integer(name))
    }

    private mutating func recipient() throws(TransactionError) -> Address? {
        let bytes = try bytes("recipient")
        guard !bytes.isEmpty else { return nil }
        guard let address = Address(bytes: bytes) else {
            throw .malformed("the recipient is not 20 bytes")
        }
        return address
    }

    private mutating func accessList() throws(TransactionError) -> [AccessListEntry] {
        guard case .list(let entries) = try next() else {
            throw .malformed("the access list is not a list")
        }
        var list: [AccessListEntry] = []
        for entry in entries {
            guard case .list(let parts) = entry, parts.count == 2,
                case .bytes(let addressBytes) = parts[0], case .list(let keys) = parts[1],
                let address = Address(bytes: addressBytes)
            else { throw .malformed("an entry of the access list is not an address and keys") }
            var storageKeys: [Bytes32] = []
            for key in keys {
                guard case .bytes(let bytes) = key, let word = Bytes32(bytes: bytes) else {
                    throw .malformed("a storage key of the access list is not 32 bytes")
                }
                storageKeys.append(word)
            }
            list.append(AccessListEntry(address: address, storageKeys: storageKeys))
        }
        return list
    }

    private mutating func authorizations() throws(TransactionError) -> [Transaction.Authorization] {
        guard case .list(let items) = try next(), !items.isEmpty else {
            throw .malformed("a transaction of type 4 has at least one authorization")
        }
        let list = items.compactMap { Transaction.Authorization(rlp: $0) }
        guard list.count == items.count else {
            throw .malformed(
                "an authorization is not a chain, an address, a nonce and a signature"
            )
        }
        return list
    }

    private mutating func signature(yParity: UInt256) throws(TransactionError) -> Signature {
        let r = try integer("signature's r")
        let s = try integer("signature's s")
        guard let parity = yParity.uint64, let parity = UInt8(exactly: parity),
            let signature = Signature(r: r.word, s: s.word, yParity: parity)
        else { throw .malformed("the signature's parity is neither 0 nor 1") }
        return signature
    }
}

extension RLPError {
    /// The reason as part of another sentence.
    fileprivate var reason: String {
        switch self {
        case .truncated: "it ends too early"
        case .trailingBytes: "bytes follow it"
        case .nonCanonical: "a length or byte is not in its shortest form"
        case .tooDeep: "its lists are nested too deep"
        }
    }
}
