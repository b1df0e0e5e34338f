public import StrictJSON

extension BlockHeader {
    /// The header in a node's block object, if it is what the object's `hash` is a hash of.
    ///
    /// A field is taken exactly if the object has it. Other members, such as `size`,
    /// `totalDifficulty` and the transactions, are in no header and are not read.
    ///
    /// The hash alone says nothing of the chain: whoever invents a header can hash it.
    ///
    /// - Throws: `HeaderError`.
    public init(json: JSONValue) throws(HeaderError) {
        guard let members = json.objectValue else { throw .noObject }
        let block = HeaderMembers(members: members)
        self.init(
            parentHash: BlockHash(try block.word(.parentHash)),
            ommersHash: try block.word(.ommersHash),
            beneficiary: try block.address(.beneficiary),
            stateRoot: try block.word(.stateRoot),
            transactionsRoot: try block.word(.transactionsRoot),
            receiptsRoot: try block.word(.receiptsRoot),
            logsBloom: try block.bloom(.logsBloom),
            difficulty: try block.quantity(.difficulty),
            number: try block.uint64(.number),
            gasLimit: try block.uint64(.gasLimit),
            gasUsed: try block.uint64(.gasUsed),
            timestamp: try block.uint64(.timestamp),
            extraData: try block.extraData(),
            mixHash: try block.word(.mixHash),
            nonce: try block.nonce(),
            london: try block.london()
        )
        let claimed = BlockHash(try block.word(.hash))
        let computed = hash
        guard computed == claimed else { throw .wrongHash(computed: computed, claimed: claimed) }
    }
}

extension BlockHeader {
    /// The members that a node's block object has of the header and its hash: what `init(json:)` reads.
    public var json: JSONObject {
        var object = JSONObject()
        func set(_ field: HeaderField, _ text: String) { object[field.rawValue] = .string(text) }
        func set(_ field: HeaderField, _ number: UInt64) { set(field, UInt256(number).quantity) }
        set(.hash, hash.hex)
        set(.parentHash, parentHash.hex)
        set(.ommersHash, ommersHash.hex)
        set(.beneficiary, beneficiary.lowercaseHex)
        set(.stateRoot, stateRoot.hex)
        set(.transactionsRoot, transactionsRoot.hex)
        set(.receiptsRoot, receiptsRoot.hex)
        set(.logsBloom, Hex.encode(logsBloom.bytes))
        set(.difficulty, difficulty.quantity)
        set(.number, number)
        set(.gasLimit, gasLimit)
        set(.gasUsed, gasUsed)
        set(.timestamp, timestamp)
        set(.extraData, Hex.encode(extraData))
        set(.mixHash, mixHash.hex)
        set(.nonce, Hex.encode(UInt256(nonce).bigEndianBytes.suffix(8)))
        if let baseFeePerGas { set(.baseFeePerGas, baseFeePerGas.rawValue.quantity) }
        if let shanghai { set(.withdrawalsRoot, shanghai.withdrawalsRoot.hex) }
        if let cancun {
            set(.blobGasUsed, cancun.blobGasUsed)
            set(.excessBlobGas, cancun.excessBlobGas)
            set(.parentBeaconBlockRoot, cancun.parentBeaconBlockRoot.hex)
        }
        if let prague { set(.requestsHash, prague.requestsHash.hex) }
        if let amsterdam {
            set(.blockAccessListHash, amsterdam.blockAccessListHash.hex)
            set(.slotNumber, amsterdam.slotNumber)
        }
        return object
    }
}

/// Reads the fields of a header by their names.
private struct HeaderMembers {
    let members: JSONObject

    private func has(_ field: HeaderField) -> Bool {
        members[field.rawValue].map { !$0.isNull } ?? false
    }

    private func text(_ field: HeaderField) throws(HeaderError) -> String {
        guard let value = members[field.rawValue], !value.isNull else { throw .missing(field) }
        guard let text = value.stringValue else { throw .malformed(field) }
        return text
    }

    func word(_ field: HeaderField) throws(HeaderError) -> Bytes32 {
        guard let word = Bytes32(ifHex: try text(field)) else { throw .malformed(field) }
        return word
    }

    func address(_ field: HeaderField) throws(HeaderError) -> Address {
        guard let address = Address(ifHex: try text(field)) else { throw .malformed(field) }
        return address
    }

    func bytes(_ field: HeaderField) throws(HeaderError) -> [UInt8] {
        guard let bytes = Hex.bytes(try text(field)) else { throw .malformed(field) }
        return bytes
    }

    func bloom(_ field: HeaderField) throws(HeaderError) -> Bloom {
        guard let bloom = Bloom(bytes: try bytes(field)) else { throw .malformed(field) }
        return bloom
    }

    func quantity(_ field: HeaderField) throws(HeaderError) -> UInt256 {
        guard let value = UInt256(quantity: try text(field)) else { throw .malformed(field) }
        return value
    }

    func uint64(_ field: HeaderField) throws(HeaderError) -> UInt64 {
        guard let value = try quantity(field).uint64 else { throw .malformed(field) }
        return value
    }

    func extraData() throws(HeaderError) -> [UInt8] {
        let text = try text(.extraData)
        guard text.utf8.count <= 2 + 2 * BlockHeader.maximumExtraData else {
            throw .longExtraData
        }
        return try bytes(.extraData)
    }

    func nonce() throws(HeaderError) -> UInt64 {
        let bytes = try bytes(.nonce)
        guard bytes.count == 8, let nonce = UInt256(bigEndian: bytes)?.uint64 else {
            throw .malformed(.nonce)
        }
        return nonce
    }

    /// Whether a fork's fields are there: all of them, or none of them and of those after them.
    private func has(
        _ fields: [HeaderField],
        before later: [HeaderField]
    ) throws(HeaderError) -> Bool {
        guard let present = (fields + later).first(where: has) else { return false }
        if let missing = fields.first(where: { !has($0) }) {
            throw .gap(present, without: missing)
        }
        return true
    }

    private static let amsterdam: [HeaderField] = [.blockAccessListHash, .slotNumber]
    private static let sincePrague: [HeaderField] = [.requestsHash] + amsterdam
    private static let cancun: [HeaderField] = [
        .blobGasUsed, .excessBlobGas, .parentBeaconBlockRoot,
    ]
    private static let sinceCancun = cancun + sincePrague
    private static let sinceShanghai: [HeaderField] = [.withdrawalsRoot] + sinceCancun

    func london() throws(HeaderError) -> BlockHeader.London? {
        guard try has([.baseFeePerGas], before: Self.sinceShanghai) else { return nil }
        return BlockHeader.London(
            baseFeePerGas: Wei(try quantity(.baseFeePerGas)),
            shanghai: try shanghai()
        )
    }

    private func shanghai() throws(HeaderError) -> BlockHeader.Shanghai? {
        guard try has([.withdrawalsRoot], before: Self.sinceCancun) else { return nil }
        return BlockHeader.Shanghai(
            withdrawalsRoot: try word(.withdrawalsRoot),
            cancun: try cancun()
        )
    }

    private func cancun() throws(HeaderError) -> BlockHeader.Cancun? {
        guard try has(Self.cancun, before: Self.sincePrague) else { return nil }
        return BlockHeader.Cancun(
            blobGasUsed: try uint64(.blobGasUsed),
            excessBlobGas: try uint64(.excessBlobGas),
            parentBeaconBlockRoot: try word(.parentBeaconBlockRoot),
            prague: try prague()
        )
    }

    private func prague() throws(HeaderError) -> BlockHeader.Prague? {
        guard try has([.requestsHash], before: Self.amsterdam) else { return nil }
        return BlockHeader.Prague(
            requestsHash: try word(.requestsHash),
            amsterdam: try amsterdam()
        )
    }

    private func amsterdam() throws(HeaderError) -> BlockHeader.Amsterdam? {
        guard try has(Self.amsterdam, before: []) else { return nil }
        return BlockHeader.Amsterdam(
            blockAccessListHash: try word(.blockAccessListHash),
            slotNumber: try uint64(.slotNumber)
        )
    }
}
