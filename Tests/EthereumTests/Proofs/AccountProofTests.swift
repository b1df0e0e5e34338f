import Ethereum
import StrictJSON
import Testing

@Suite("Proofs of accounts and words, as eth_getProof gives them")
struct AccountProofTests {
    private struct Case {
        let name: String
        let address: Address
        let slots: [Bytes32]
        let words: [UInt256]
        let isPresent: Bool
        let account: StateAccount
        let answer: JSONValue

        func proof(_ answer: JSONValue? = nil) throws -> AccountProof {
            try AccountProof(json: answer ?? self.answer, address: address, slots: slots)
        }
    }

    private func account(_ json: JSONValue) throws -> StateAccount {
        let balance = try #require(UInt256(quantity: json.text("balance")))
        return StateAccount(
            nonce: try #require(UInt256(quantity: json.text("nonce"))?.uint64),
            balance: Wei(balance),
            storageRoot: try Bytes32(hex: json.text("storageHash")),
            codeHash: try Bytes32(hex: json.text("codeHash"))
        )
    }

    private func cases() throws -> (root: Bytes32, cases: [Case]) {
        let vectors = try vectors("state-proofs")
        let cases = try vectors.list("cases").map { json in
            let answer = try json.member("answer")
            return Case(
                name: try json.text("name"),
                address: try Address(lenient: answer.text("address")),
                slots: try json.list("slots").map { try Bytes32(hex: $0.string()) },
                words: try json.list("words").map {
                    try #require(UInt256(quantity: $0.string()))
                },
                isPresent: try json.member("present").boolValue == true,
                account: try account(json.member("account")),
                answer: answer
            )
        }
        return (try Bytes32(hex: vectors.text("root")), cases)
    }

    @Test("another library's state: accounts and words that are there, and all kinds of absence")
    func vectorProofs() throws {
        let (root, cases) = try cases()
        #expect(cases.count == 9)
        #expect(cases.filter { !$0.isPresent }.count == 3)
        for sample in cases {
            let proven = try sample.proof().verified(in: root)
            #expect(proven.address == sample.address)
            #expect(proven.isPresent == sample.isPresent, "\(sample.name)")
            #expect(proven.account == sample.account, "\(sample.name)")
            #expect(proven.account.isEmpty == !sample.isPresent)
            #expect(proven.words.count == sample.slots.count)
            for (slot, word) in zip(sample.slots, sample.words) {
                #expect(proven.words[slot] == word, "\(sample.name)")
            }
        }
    }

    @Test("proofs of mainnet and Ropsten as nodes gave them; one under a header that hashes")
    func chainProofs() throws {
        let chain = try vectors("chain")
        let roots = try chain.list("headers").map { entry in
            try BlockHeader(json: entry.member("block")).stateRoot
        }
        var underHeader = 0
        for entry in try chain.list("proofs") {
            let answer = try entry.member("answer")
            let root = try Bytes32(hex: entry.text("root"))
            let storage = try answer.list("storageProof")
            let proof = try AccountProof(
                json: answer,
                address: Address(lenient: answer.text("address")),
                slots: storage.map { try Bytes32(hex: $0.text("key")) }
            )
            let proven = try proof.verified(in: root)
            #expect(proven.account == (try account(answer)))
            for word in storage {
                let slot = try Bytes32(hex: word.text("key"))
                #expect(proven.words[slot] == UInt256(quantity: try word.text("value")))
            }
            if roots.contains(root) { underHeader += 1 }
        }
        #expect(underHeader == 1)
    }

    @Test("what stands beside the nodes is not read: neither copies nor keys")
    func copies() throws {
        let (root, cases) = try cases()
        for sample in cases {
            var answer = try #require(sample.answer.objectValue)
            for name in ["address", "balance", "codeHash", "nonce", "storageHash"] {
                answer[name] = nil
            }
            answer["storageProof"] = .array(
                try sample.answer.list("storageProof").map { ["proof": try $0.member("proof")] }
            )
            let expected = try sample.proof().verified(in: root)
            #expect(try sample.proof(.object(answer)).verified(in: root) == expected)
            answer["balance"] = "0xffffffff"
            answer["nonce"] = .null
            answer["storageHash"] = [1, 2]
            #expect(try sample.proof(.object(answer)).verified(in: root) == expected)
        }
    }

    @Test("hexadecimal digits in any letter case are the same proof")
    func letterCase() throws {
        let (root, cases) = try cases()
        let sample = try #require(cases.last)
        var answer = try #require(sample.answer.objectValue)
        answer["accountProof"] = .array(
            try sample.answer.list("accountProof").map {
                .string("0x" + (try $0.string()).dropFirst(2).uppercased())
            }
        )
        #expect(
            try sample.proof(.object(answer)).verified(in: root)
                == sample.proof().verified(in: root)
        )
    }

    @Test("a proof of another account, of another slot, or with the slots exchanged is refused")
    func exchanged() throws {
        let (root, cases) = try cases()
        let contract = try #require(cases.first { $0.slots.count == 6 })
        let others = cases.filter { $0.isPresent && $0.address != contract.address }
        #expect(others.count == 5)
        for other in others {
            let claim = try AccountProof(
                json: other.answer,
                address: contract.address,
                slots: other.slots
            )
            #expect(throws: ProofError.self) { try claim.verified(in: root) }
        }
        let proof = try contract.proof()
        for (left, right) in zip(contract.slots.indices, contract.slots.indices.dropFirst()) {
            var storage = proof.storage
            storage[left] = StorageProof(
                slot: contract.slots[left],
                nodes: proof.storage[right].nodes
            )
            let changed = AccountProof(
                address: contract.address,
                account: proof.account,
                storage: storage
            )
            #expect(throws: ProofError.self) { try changed.verified(in: root) }
        }
        let swapped = AccountProof(
            address: contract.address,
            account: TrieProof(nodes: proof.storage[0].nodes.nodes),
            storage: [StorageProof(slot: contract.slots[0], nodes: proof.account)]
        )
        #expect(throws: ProofError.self) { try swapped.verified(in: root) }
    }

    @Test("no nodes for a word prove it only in an empty storage")
    func emptyStorage() throws {
        let (root, cases) = try cases()
        for sample in cases where !sample.slots.isEmpty {
            let proof = try sample.proof()
            let bare = AccountProof(
                address: sample.address,
                account: proof.account,
                storage: [StorageProof(slot: sample.slots[0], nodes: TrieProof(nodes: []))]
            )
            if sample.account.storageRoot == MerkleTrie.emptyRoot {
                #expect(try bare.verified(in: root).words == [sample.slots[0]: .zero])
            } else {
                #expect(throws: ProofError.noNodes(root: sample.account.storageRoot)) {
                    try bare.verified(in: root)
                }
            }
        }
    }

    @Test("answers of another shape are refused with what is wrong")
    func shapes() throws {
        let node = JSONValue.string("0x80")
        let long = JSONValue.string("0x" + String(repeating: "ab", count: 601))
        let maximum = JSONValue.array(Array(repeating: node, count: 65))
        let tooMany = JSONValue.array(Array(repeating: node, count: 66))
        let good: JSONValue = ["accountProof": [], "storageProof": [["proof": maximum]]]
        #expect(throws: Never.self) {
            try AccountProof(json: good, address: .zero, slots: [.zero])
        }
        for (json, part) in [
            (.null, "it"), ([], "it"), ("0x", "it"),
            ([:], "accountProof"), (["accountProof": [:]], "accountProof"),
            (["accountProof": "0x80"], "accountProof"),
            (["accountProof": [1]], "accountProof[0]"),
            (["accountProof": [node, "80"]], "accountProof[1]"),
            (["accountProof": ["0x8"]], "accountProof[0]"),
            (["accountProof": ["0xgg"]], "accountProof[0]"),
            (["accountProof": [long]], "accountProof[0]"),
            (["accountProof": tooMany], "accountProof"),
            (["accountProof": [node]], "storageProof"),
            (["accountProof": [node], "storageProof": []], "storageProof"),
            (["accountProof": [node], "storageProof": [good, good]], "storageProof"),
            (["accountProof": [node], "storageProof": [[]]], "storageProof[0].proof"),
            (["accountProof": [node], "storageProof": [["proof": 1]]], "storageProof[0].proof"),
            (
                ["accountProof": [node], "storageProof": [["proof": [long]]]],
                "storageProof[0].proof[0]"
            ),
            (
                ["accountProof": [node], "storageProof": [["proof": tooMany]]],
                "storageProof[0].proof"
            ),
        ] as [(JSONValue, String)] {
            let error = #expect(throws: ProofError.self, "\(part)") {
                try AccountProof(json: json, address: .zero, slots: [.zero])
            }
            guard case .malformed(part, _) = error else {
                Issue.record("\(part): \(error?.description ?? "taken")")
                continue
            }
        }
    }

    @Test("a proven value that is no account or no word is refused")
    func values() throws {
        let address = Address(truncating: Keccak256.hash([7] as [UInt8]))
        let good = StateAccount(nonce: 3, balance: Wei(5))
        let number = RLP.integer(3)
        let word = RLP.bytes(MerkleTrie.emptyRoot.bytes)
        let short = RLP.bytes(Array(MerkleTrie.emptyRoot.bytes.dropLast()))
        let values: [RLP] = [
            .list([number, number, word]), .list([number, number, word, word, number]),
            .list([number, number, word, short]), .list([number, number, short, word]),
            .list([.bytes([0, 1]), number, word, word]), .list([.bytes([0]), number, word, word]),
            .list([number, .bytes([0, 1]), word, word]), .list([.list([]), number, word, word]),
            .list([.integer(1 << 64), number, word, word]), .list([number, word, word, .list([])]),
            .list([number, .bytes([UInt8](repeating: 1, count: 33)), word, word]), .bytes([1]),
        ]
        for value in values.map(\.encoded) + [good.encoded + [0], [0xFF]] {
            let trie = MerkleTrie([(key: .account(address), value: value)])
            let proof = AccountProof(
                address: address,
                account: trie.proof(of: .account(address)),
                storage: []
            )
            #expect(throws: ProofError.noAccount(address)) { try proof.verified(in: trie.root) }
        }
        let slot = Bytes32.zero
        let words: [[UInt8]] = [
            [0x80], [0x00], [0x82, 0x00, 0x01], [0x81, 0x05], [0xC0], [0xC1, 0x05], [5, 5],
            RLP.bytes([UInt8](repeating: 1, count: 33)).encoded,
        ]
        for value in words {
            let trie = MerkleTrie([(key: .slot(slot), value: value)])
            let proof = StorageProof(slot: slot, nodes: trie.proof(of: .slot(slot)))
            #expect(throws: ProofError.noWord(slot: slot), "\(value)") {
                try proof.word(in: trie.root)
            }
        }
        for value in [1, 127, 128, UInt256.max] as [UInt256] {
            let trie = MerkleTrie([(key: .slot(slot), value: RLP.integer(value).encoded)])
            let proof = StorageProof(slot: slot, nodes: trie.proof(of: .slot(slot)))
            #expect(try proof.word(in: trie.root) == value)
        }
        #expect(StateAccount(encoded: good.encoded) == good)
        #expect(StateAccount.absent.isEmpty && !good.isEmpty)
    }

    @Test("every bit of an answer: flipped, it is refused or proves the same")
    func flippedBits() throws {
        let (root, cases) = try cases()
        var refused = 0
        var same = 0
        for sample in cases.filter({ $0.slots.count < 3 }).prefix(1) {
            let expected = try sample.proof().verified(in: root)
            let text = sample.answer.utf8
            for position in text.indices {
                for bit in 0..<8 {
                    var changed = text
                    changed[position] ^= 1 << UInt8(bit)
                    do {
                        let answer = try JSONParser.parse(changed)
                        #expect(try sample.proof(answer).verified(in: root) == expected)
                        same += 1
                    } catch {
                        refused += 1
                    }
                }
            }
        }
        #expect(refused > 3 * same && same > 100)
    }
}
