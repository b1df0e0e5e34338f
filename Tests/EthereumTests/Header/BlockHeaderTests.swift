import Ethereum
import StrictJSON
import Testing

@Suite("Block headers")
struct BlockHeaderTests {
    /// The blocks of real chains, with the number of their fields.
    private func chainBlocks() throws -> [(fields: Int, block: JSONValue)] {
        try vectors("chain").list("headers").map { entry in
            (try #require(Int(entry.text("fields"))), try entry.member("block"))
        }
    }

    private func fields(_ header: BlockHeader) -> Int {
        guard case .list(let items) = header.rlp else { return 0 }
        return items.count
    }

    @Test("headers of real chains, from Frontier to Amsterdam, have the hashes of their blocks")
    func chainHeaders() throws {
        let blocks = try chainBlocks()
        #expect(Set(blocks.map(\.fields)) == [15, 16, 17, 20, 21, 23])
        for (count, block) in blocks {
            let header = try BlockHeader(json: block)
            #expect(header.hash.hex == (try block.text("hash")))
            #expect(fields(header) == count)
            #expect(try BlockHeader(encoded: header.encoded) == header)
            for member in header.json.members { #expect(block[member.key] == member.value) }
            #expect((header.london != nil) == (count >= 16))
            #expect((header.shanghai != nil) == (count >= 17))
            #expect((header.cancun != nil) == (count >= 20))
            #expect((header.prague != nil) == (count >= 21))
            #expect((header.amsterdam != nil) == (count >= 23))
        }
        let amsterdam = try BlockHeader(json: #require(blocks.last).block)
        #expect(amsterdam.amsterdam?.slotNumber == 192)
        let genesis = try BlockHeader(json: blocks[0].block)
        #expect(genesis.number == 0 && genesis.nonce == 0x42 && genesis.gasLimit == 5_000)
    }

    @Test("py-evm's headers of every fork have its RLP and its hash")
    func madeHeaders() throws {
        let vectors = try vectors("headers").list("headers")
        #expect(vectors.count == 30)
        for vector in vectors {
            let header = try BlockHeader(json: vector.member("block"))
            #expect(Hex.encode(header.encoded) == (try vector.text("rlp")))
            #expect(try BlockHeader(encoded: header.encoded) == header)
            #expect(try BlockHeader(json: .object(header.json)) == header)
        }
    }

    @Test("a header with any field changed does not have the hash that the node claims")
    func changedFields() throws {
        for (_, block) in try chainBlocks() {
            let object = try #require(block.objectValue)
            for member in object.members where member.key != "hash" {
                var changed = object
                let text = try member.value.string()
                // The last digit: it is a number's and a word's alike.
                let last = text.hasSuffix("1") ? "2" : "1"
                changed[member.key] = .string(text == "0x" ? "0x11" : text.dropLast() + last)
                let error = #expect(throws: HeaderError.self) {
                    try BlockHeader(json: .object(changed))
                }
                guard case .wrongHash = error else {
                    Issue.record("\(member.key): \(error?.description ?? "taken")")
                    continue
                }
            }
            var lie = object
            lie["hash"] = .string(Bytes32.zero.hex)
            let error = #expect(throws: HeaderError.self) { try BlockHeader(json: .object(lie)) }
            guard case .wrongHash(_, BlockHash(.zero)) = error else {
                Issue.record("a wrong hash is taken")
                continue
            }
        }
    }

    @Test("a missing field, one of another shape, or a later fork's without an earlier one's")
    func malformed() throws {
        let blocks = try chainBlocks()
        let full = try #require(blocks.last?.block.objectValue)
        let optional: [HeaderField] = [
            .baseFeePerGas, .withdrawalsRoot, .blobGasUsed, .excessBlobGas,
            .parentBeaconBlockRoot, .requestsHash, .blockAccessListHash, .slotNumber,
        ]
        for field in HeaderField.allCases {
            for value in [nil, .null] as [JSONValue?] {
                var changed = full
                changed[field.rawValue] = value
                let error = #expect(throws: HeaderError.self) {
                    try BlockHeader(json: .object(changed))
                }
                guard optional.contains(field) else {
                    #expect(error == .missing(field))
                    continue
                }
                guard case .gap(_, field) = error else {
                    Issue.record("\(field): \(error?.description ?? "taken")")
                    continue
                }
            }
            for value in [1, true, "", "0x", "0xzz", "12", [], [:]] as [JSONValue] {
                if field == .extraData, value == "0x" { continue }
                var changed = full
                changed[field.rawValue] = value
                #expect(throws: HeaderError.malformed(field), "\(field) \(value)") {
                    try BlockHeader(json: .object(changed))
                }
            }
        }
        for field in [
            HeaderField.number, .gasLimit, .gasUsed, .timestamp, .blobGasUsed, .slotNumber,
        ] {
            var changed = full
            changed[field.rawValue] = "0x10000000000000000"
            #expect(throws: HeaderError.malformed(field)) {
                try BlockHeader(json: .object(changed))
            }
        }
        var long = full
        long["extraData"] = .string("0x" + String(repeating: "0", count: 2 * 262_146))
        #expect(throws: HeaderError.longExtraData) { try BlockHeader(json: .object(long)) }
        #expect(throws: HeaderError.noObject) { try BlockHeader(json: .null) }
        #expect(throws: HeaderError.noObject) { try BlockHeader(json: []) }
    }

    @Test("numbers with leading zeros are the same numbers; what no header has is not read")
    func leniency() throws {
        let block = try chainBlocks()[9].block
        var object = try #require(block.objectValue)
        let header = try BlockHeader(json: block)
        object["gasUsed"] = .string("0x000" + (try block.text("gasUsed").dropFirst(2)))
        object["size"] = "0x0"
        object["totalDifficulty"] = .null
        object["transactions"] = "none"
        #expect(try BlockHeader(json: .object(object)) == header)
    }

    @Test("RLP that is no header's is refused")
    func badRLP() throws {
        for (_, block) in try chainBlocks() {
            let header = try BlockHeader(json: block)
            let bytes = header.encoded
            guard case .list(let items) = header.rlp else { return }
            #expect(throws: HeaderError.rlp(.trailingBytes)) {
                try BlockHeader(encoded: bytes + [0])
            }
            #expect(throws: HeaderError.rlp(.truncated)) {
                try BlockHeader(encoded: bytes.dropLast())
            }
            for count in [0, 1, 14, 18, 19, 22, 24] {
                let list = (0..<count).map { $0 < items.count ? items[$0] : RLP.integer(1) }
                #expect(throws: HeaderError.fieldCount(count)) {
                    try BlockHeader(rlp: .list(list))
                }
            }
            for index in items.indices {
                // No field can be a list, 21 bytes long or a number with a zero before it.
                for other in [.list([]), .bytes([0] + [UInt8](repeating: 1, count: 20))] as [RLP] {
                    var changed = items
                    changed[index] = other
                    if index == 12, case .bytes = other { continue }
                    let error = #expect(throws: HeaderError.self) {
                        try BlockHeader(rlp: .list(changed))
                    }
                    guard case .malformed = error else {
                        Issue.record("field \(index): \(error?.description ?? "taken")")
                        continue
                    }
                }
            }
        }
        #expect(throws: HeaderError.noList) { try BlockHeader(encoded: [0x80]) }
        #expect(throws: HeaderError.rlp(.truncated)) { try BlockHeader(encoded: []) }
    }

    @Test("the constants of an empty block are those of every chain")
    func constants() {
        #expect(
            BlockHeader.noOmmers.hex
                == "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347"
        )
        #expect(
            BlockHeader.noRequests.hex
                == "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
    }

    @Test("every sentence says what is wrong, in one line")
    func sentences() {
        let errors: [HeaderError] =
            HeaderField.allCases.flatMap { [.missing($0), .malformed($0)] } + [
                .noObject, .noList, .rlp(.truncated), .fieldCount(3),
                .gap(.requestsHash, without: .withdrawalsRoot), .longExtraData,
                .wrongHash(computed: BlockHash(.zero), claimed: BlockHash(.zero)),
            ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        for error in errors {
            #expect(error.description.hasSuffix(".") && !error.description.contains("\n"))
        }
    }

    @Test("the next base fee is py-evm's")
    func baseFees() throws {
        let vectors = try vectors("headers").list("baseFees")
        #expect(vectors.count == 120)
        for vector in vectors {
            let texts = try #require(vector.arrayValue).map { try $0.string() }
            let next = BaseFee.next(
                after: Wei(try #require(UInt256(decimal: texts[0]))),
                gasUsed: try #require(UInt64(texts[1])),
                gasLimit: try #require(UInt64(texts[2]))
            )
            #expect(next == Wei(try #require(UInt256(decimal: texts[3]))), "\(texts)")
        }
    }

    @Test("a base fee at the edges: no limit, gas beyond it, 256 bits")
    func baseFeeEdges() {
        #expect(BaseFee.next(after: Wei(9), gasUsed: 5, gasLimit: 0) == Wei(9))
        #expect(BaseFee.next(after: Wei(9), gasUsed: .max, gasLimit: 1) == Wei(9))
        #expect(BaseFee.next(after: Wei(.max), gasUsed: .max, gasLimit: .max) == nil)
        #expect(BaseFee.next(after: Wei(.max), gasUsed: 1, gasLimit: 2) == Wei(.max))
        #expect(BaseFee.next(after: Wei(8), gasUsed: .max, gasLimit: 2) != nil)
        #expect(BaseFee.next(after: .zero, gasUsed: 2, gasLimit: 2) == Wei(1))
        #expect(BaseFee.next(after: .zero, gasUsed: 0, gasLimit: 2) == .zero)
    }

    @Test("the filter of a block's logs says for certain what is not in it")
    func bloom() throws {
        let log = Log(
            address: Address(truncating: Keccak256.hash([1] as [UInt8])),
            topics: [Keccak256.hash([2] as [UInt8]), .zero],
            data: [1, 2, 3]
        )
        let bloom = Bloom([log])
        #expect(bloom.mayContain(log.address.bytes))
        #expect(log.topics.allSatisfy { bloom.mayContain($0.bytes) })
        #expect(!bloom.mayContain(log.data))
        #expect(!Bloom.empty.mayContain(log.address.bytes))
        // From the Yellow Paper's definition: 11 bits each of the first three pairs of bytes.
        let hash = Keccak256.hash(Address.zero.bytes).bytes
        var single = Bloom.empty
        single.formUnion(Bloom([Log(address: .zero, topics: [], data: [])]))
        let expected = Set(
            [0, 2, 4].map { (Int(hash[$0]) * 256 + Int(hash[$0 + 1])) % 2_048 }
        )
        let found = (0..<2_048).filter { bit in
            single.bytes[255 - bit / 8] >> UInt8(bit % 8) & 1 == 1
        }
        #expect(Set(found) == expected)
        #expect(Bloom(bytes: [0]) == nil)
        #expect(try Bloom(bytes: hex(String(repeating: "00", count: 256))) == .empty)
    }
}
