import Ethereum
import StrictJSON

extension FuzzTarget {
    /// Headers in RLP and as a node's block object: written back byte for byte, the same in both
    /// forms, and no header whose hash is another one than claimed.
    static let blockHeader = FuzzTarget(
        "block-header",
        maximumLength: 3_072,
        seeds: BlockHeaderTarget.seeds
    ) { input in
        switch Result(catching: { () throws(HeaderError) in try BlockHeader(encoded: input) }) {
        case .success(let header): try BlockHeaderTarget.check(header, input)
        case .failure(let error): try BlockHeaderTarget.check(error.description)
        }
        guard let json = try? JSONParser.parse(input) else { return }
        switch Result(catching: { () throws(HeaderError) in try BlockHeader(json: json) }) {
        case .success(let header):
            try BlockHeaderTarget.check(header, header.encoded)
            try requireEqual(json["hash"]?.stringValue?.lowercased(), header.hash.hex, "a hash")
        case .failure(let error): try BlockHeaderTarget.check(error.description)
        }
        // The same bytes as the answer to eth_getProof.
        let proof = Result { () throws(ProofError) in
            try AccountProof(json: json, address: .zero, slots: [.zero])
        }
        switch proof {
        case .success(let proof):
            let ways = [proof.account] + proof.storage.map(\.nodes)
            try require(ways.allSatisfy { $0.nodes.count <= 65 }, "too many nodes are read")
            let proven = try? proof.verified(in: MerkleTrie.emptyRoot)
            try require(proven?.isPresent != true, "an account is proven in an empty state")
        case .failure(let error): try BlockHeaderTarget.check(error.description)
        }
    }
}

enum BlockHeaderTarget {
    static func check(_ header: BlockHeader, _ bytes: [UInt8]) throws {
        try requireEqual(header.encoded, bytes, "a header is not written as it was read")
        try requireEqual(try BlockHeader(encoded: bytes), header, "a header is read twice")
        try requireEqual(try BlockHeader(json: json(header)), header, "two forms of a header")
        if let next = header.nextBaseFee, header.gasUsed <= header.gasLimit {
            let fee = header.baseFeePerGas?.rawValue ?? .zero
            let difference = next.rawValue > fee ? next.rawValue - fee : fee - next.rawValue
            try require(difference <= max(1, fee / 4), "the base fee jumps")
        }
    }

    static func check(_ sentence: String) throws {
        try require(sentence.hasSuffix(".") && sentence.utf8.count < 400, sentence)
    }

    /// A header as a node writes it.
    static func json(_ header: BlockHeader) -> JSONValue {
        func number(_ value: UInt256) -> JSONValue {
            let digits = Hex.encode(value.bigEndianBytes)
            return .string(digits)
        }
        func word(_ word: Bytes32) -> JSONValue { .string(word.hex) }
        var object = JSONObject()
        object["parentHash"] = word(header.parentHash.word)
        object["sha3Uncles"] = word(header.ommersHash)
        object["miner"] = .string(header.beneficiary.lowercaseHex)
        object["stateRoot"] = word(header.stateRoot)
        object["transactionsRoot"] = word(header.transactionsRoot)
        object["receiptsRoot"] = word(header.receiptsRoot)
        object["logsBloom"] = .string(Hex.encode(header.logsBloom.bytes))
        object["difficulty"] = number(header.difficulty)
        object["number"] = number(UInt256(header.number))
        object["gasLimit"] = number(UInt256(header.gasLimit))
        object["gasUsed"] = number(UInt256(header.gasUsed))
        object["timestamp"] = number(UInt256(header.timestamp))
        object["extraData"] = .string(Hex.encode(header.extraData))
        object["mixHash"] = word(header.mixHash)
        object["nonce"] = .string(Hex.encode(UInt256(header.nonce).bigEndianBytes.suffix(8)))
        object["baseFeePerGas"] = header.baseFeePerGas.map { number($0.rawValue) }
        object["withdrawalsRoot"] = header.shanghai.map { word($0.withdrawalsRoot) }
        object["blobGasUsed"] = header.cancun.map { number(UInt256($0.blobGasUsed)) }
        object["excessBlobGas"] = header.cancun.map { number(UInt256($0.excessBlobGas)) }
        object["parentBeaconBlockRoot"] = header.cancun.map { word($0.parentBeaconBlockRoot) }
        object["requestsHash"] = header.prague.map { word($0.requestsHash) }
        object["blockAccessListHash"] = header.amsterdam.map { word($0.blockAccessListHash) }
        object["slotNumber"] = header.amsterdam.map { number(UInt256($0.slotNumber)) }
        object["hash"] = word(header.hash.word)
        return .object(object)
    }

    /// One of each fork.
    static let headers: [BlockHeader] = {
        let amsterdam = BlockHeader.Amsterdam(blockAccessListHash: .zero, slotNumber: 9)
        let forks: [BlockHeader.London?] = [
            nil, london(nil), london(shanghai(nil)), london(shanghai(cancun(nil))),
            london(shanghai(cancun(.init(requestsHash: BlockHeader.noRequests)))),
            london(
                shanghai(
                    cancun(.init(requestsHash: BlockHeader.noRequests, amsterdam: amsterdam))
                )
            ),
        ]
        return forks.map { fork in
            BlockHeader(
                parentHash: BlockHash(Keccak256.hash([1] as [UInt8])),
                beneficiary: .zero,
                stateRoot: MerkleTrie.emptyRoot,
                transactionsRoot: MerkleTrie.emptyRoot,
                receiptsRoot: MerkleTrie.emptyRoot,
                logsBloom: .empty,
                difficulty: fork == nil ? .max : .zero,
                number: 23_000_000,
                gasLimit: 60_000_000,
                gasUsed: 31_234_567,
                timestamp: 1_764_798_551,
                extraData: Array("dex".utf8),
                nonce: fork == nil ? 0x42 : 0,
                london: fork
            )
        }
    }()

    @Sendable
    static func seeds() -> [[UInt8]] {
        let proofs: [JSONValue] = [
            ["accountProof": [], "storageProof": [["proof": []]]],
            ["accountProof": ["0x80"], "storageProof": [["key": "0x0", "proof": ["0xc0"]]]],
            ["accountProof": ["0xf8"], "storageProof": []],
        ]
        return headers.map(\.encoded) + headers.map { json($0).utf8 } + proofs.map(\.utf8)
    }

    private static func london(_ shanghai: BlockHeader.Shanghai?) -> BlockHeader.London {
        BlockHeader.London(baseFeePerGas: Wei(1_000_000_007), shanghai: shanghai)
    }

    private static func shanghai(_ cancun: BlockHeader.Cancun?) -> BlockHeader.Shanghai {
        BlockHeader.Shanghai(withdrawalsRoot: MerkleTrie.emptyRoot, cancun: cancun)
    }

    private static func cancun(_ prague: BlockHeader.Prague?) -> BlockHeader.Cancun {
        BlockHeader.Cancun(
            blobGasUsed: 131_072,
            excessBlobGas: 0,
            parentBeaconBlockRoot: .zero,
            prague: prague
        )
    }
}
