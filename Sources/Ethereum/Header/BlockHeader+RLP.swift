extension BlockHeader {
    /// The RLP of the header, which its hash is a hash of.
    public var encoded: [UInt8] {
        rlp.encoded
    }

    /// The header as a list of 15, 16, 17, 20, 21 or 23 fields, by its fork.
    public var rlp: RLP {
        .list(fields)
    }

    private var fields: [RLP] {
        let nonceBytes = Array(UInt256(nonce).bigEndianBytes.suffix(8))
        var fields: [RLP] = [
            .bytes(parentHash.word.bytes),
            .bytes(ommersHash.bytes),
            .bytes(beneficiary.bytes),
            .bytes(stateRoot.bytes),
            .bytes(transactionsRoot.bytes),
            .bytes(receiptsRoot.bytes),
            .bytes(logsBloom.bytes),
            .integer(difficulty),
            .integer(UInt256(number)),
            .integer(UInt256(gasLimit)),
            .integer(UInt256(gasUsed)),
            .integer(UInt256(timestamp)),
            .bytes(extraData),
            .bytes(mixHash.bytes),
            .bytes(nonceBytes),
        ]
        guard let london else { return fields }
        fields.append(.integer(london.baseFeePerGas.rawValue))
        guard let shanghai else { return fields }
        fields.append(.bytes(shanghai.withdrawalsRoot.bytes))
        guard let cancun else { return fields }
        fields.append(.integer(UInt256(cancun.blobGasUsed)))
        fields.append(.integer(UInt256(cancun.excessBlobGas)))
        fields.append(.bytes(cancun.parentBeaconBlockRoot.bytes))
        guard let prague else { return fields }
        fields.append(.bytes(prague.requestsHash.bytes))
        guard let amsterdam else { return fields }
        fields.append(.bytes(amsterdam.blockAccessListHash.bytes))
        fields.append(.integer(UInt256(amsterdam.slotNumber)))
        return fields
    }

    /// A header from exactly what `encoded` writes.
    ///
    /// - Throws: `HeaderError.rlp`, and what `init(rlp:)` throws.
    public init(encoded bytes: [UInt8]) throws(HeaderError) {
        let item: RLP
        do throws(RLPError) {
            item = try RLP.decode(bytes)
        } catch {
            throw .rlp(error)
        }
        try self.init(rlp: item)
    }

    /// A header from exactly what `rlp` writes.
    ///
    /// - Throws: `HeaderError.noList`, `.fieldCount`, `.malformed`, `.longExtraData`.
    public init(rlp: RLP) throws(HeaderError) {
        guard case .list(let fields) = rlp else { throw .noList }
        guard [15, 16, 17, 20, 21, 23].contains(fields.count) else {
            throw .fieldCount(fields.count)
        }
        var reader = HeaderItems(fields: fields[...])
        self.init(
            parentHash: BlockHash(try reader.word(.parentHash)),
            ommersHash: try reader.word(.ommersHash),
            beneficiary: try reader.address(.beneficiary),
            stateRoot: try reader.word(.stateRoot),
            transactionsRoot: try reader.word(.transactionsRoot),
            receiptsRoot: try reader.word(.receiptsRoot),
            logsBloom: try reader.bloom(.logsBloom),
            difficulty: try reader.integer(.difficulty),
            number: try reader.uint64(.number),
            gasLimit: try reader.uint64(.gasLimit),
            gasUsed: try reader.uint64(.gasUsed),
            timestamp: try reader.uint64(.timestamp),
            extraData: try reader.extraData(),
            mixHash: try reader.word(.mixHash),
            nonce: try reader.nonce(),
            london: try reader.london()
        )
    }
}

/// Takes the fields of a header from the front of a list.
private struct HeaderItems {
    var fields: ArraySlice<RLP>

    private mutating func next(_ field: HeaderField) throws(HeaderError) -> RLP {
        guard let item = fields.popFirst() else { throw .missing(field) }
        return item
    }

    mutating func bytes(_ field: HeaderField) throws(HeaderError) -> [UInt8] {
        guard case .bytes(let bytes) = try next(field) else { throw .malformed(field) }
        return bytes
    }

    mutating func word(_ field: HeaderField) throws(HeaderError) -> Bytes32 {
        guard let word = try next(field).word else { throw .malformed(field) }
        return word
    }

    mutating func address(_ field: HeaderField) throws(HeaderError) -> Address {
        guard let address = try next(field).address else { throw .malformed(field) }
        return address
    }

    mutating func bloom(_ field: HeaderField) throws(HeaderError) -> Bloom {
        guard let bloom = Bloom(bytes: try bytes(field)) else { throw .malformed(field) }
        return bloom
    }

    mutating func integer(_ field: HeaderField) throws(HeaderError) -> UInt256 {
        guard let value = try next(field).unsignedInteger else { throw .malformed(field) }
        return value
    }

    mutating func uint64(_ field: HeaderField) throws(HeaderError) -> UInt64 {
        guard let value = try integer(field).uint64 else { throw .malformed(field) }
        return value
    }

    mutating func extraData() throws(HeaderError) -> [UInt8] {
        let bytes = try bytes(.extraData)
        guard bytes.count <= BlockHeader.maximumExtraData else { throw .longExtraData }
        return bytes
    }

    mutating func nonce() throws(HeaderError) -> UInt64 {
        let bytes = try bytes(.nonce)
        guard bytes.count == 8, let nonce = UInt256(bigEndian: bytes)?.uint64 else {
            throw .malformed(.nonce)
        }
        return nonce
    }

    mutating func london() throws(HeaderError) -> BlockHeader.London? {
        guard !fields.isEmpty else { return nil }
        return BlockHeader.London(
            baseFeePerGas: Wei(try integer(.baseFeePerGas)),
            shanghai: try shanghai()
        )
    }

    private mutating func shanghai() throws(HeaderError) -> BlockHeader.Shanghai? {
        guard !fields.isEmpty else { return nil }
        return BlockHeader.Shanghai(
            withdrawalsRoot: try word(.withdrawalsRoot),
            cancun: try cancun()
        )
    }

    private mutating func cancun() throws(HeaderError) -> BlockHeader.Cancun? {
        guard !fields.isEmpty else { return nil }
        return BlockHeader.Cancun(
            blobGasUsed: try uint64(.blobGasUsed),
            excessBlobGas: try uint64(.excessBlobGas),
            parentBeaconBlockRoot: try word(.parentBeaconBlockRoot),
            prague: try prague()
        )
    }

    private mutating func prague() throws(HeaderError) -> BlockHeader.Prague? {
        guard !fields.isEmpty else { return nil }
        return BlockHeader.Prague(
            requestsHash: try word(.requestsHash),
            amsterdam: try amsterdam()
        )
    }

    private mutating func amsterdam() throws(HeaderError) -> BlockHeader.Amsterdam? {
        guard !fields.isEmpty else { return nil }
        return BlockHeader.Amsterdam(
            blockAccessListHash: try word(.blockAccessListHash),
            slotNumber: try uint64(.slotNumber)
        )
    }
}
