import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@Suite("Signers outside of this process")
struct ExternalSignerTests {
    typealias Bench = SigningBench

    private func failure(_ body: () async throws(SigningError) -> Void) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: JSON-RPC

    private func bench(
        _ method: MessageMethod? = nil,
        _ answer: @escaping TestNode.Answer
    ) throws -> (SigningBench, TestNode) {
        var bench = try Bench()
        let node = TestNode(answer)
        bench.holder = NodeKey(
            address: bench.key.address,
            name: "vault",
            node: node,
            method: method,
            recoverer: Secp256k1()
        )
        return (bench, node)
    }

    /// A node that signs what it is asked for, as `change` makes it.
    private static func signing(
        _ key: PrivateKeySigner,
        _ transaction: Transaction,
        asObject: Bool = false
    ) async throws -> SignerNodeAnswer {
        let chain = try #require(transaction.chainID)
        let raw = Hex.encode(try await key.sign(transaction, chainID: chain).raw)
        return .result(asObject ? ["raw": .string(raw), "tx": [:]] : .string(raw))
    }

    private static let transactions: [Transaction] = {
        let dynamic = Bench.transfer(Bench.zrx, "1")
        var legacy = dynamic
        legacy.fee = .legacy(gasPrice: Wei(UInt256(7)))
        var listed = dynamic
        listed.fee = .accessList(gasPrice: Wei(UInt256(7)))
        listed.accessList = [
            AccessListEntry(address: Bench.zrx, storageKeys: [UInt256(3).word])
        ]
        var creating = dynamic
        creating.to = nil
        return [dynamic, legacy, listed, creating]
    }()

    @Test("a node is asked for exactly the transaction, and its answer is used in both forms")
    func transactions() async throws {
        for transaction in Self.transactions {
            for asObject in [false, true] {
                let key = try PrivateKeySigner(key: UInt256(1).word)
                let (bench, node) = try bench { _, _ in
                    try await Self.signing(key, transaction, asObject: asObject)
                }
                let signed = try await bench.sign(transaction)
                #expect(signed.raw == (try await key.sign(transaction, chainID: 1)).raw)
                let call = try #require(node.calls.first)
                #expect(node.calls.count == 1)
                #expect(call.method == "eth_signTransaction")
                let form = call.parameters[0]
                #expect(form["from"]?.stringValue == key.address.checksummed)
                #expect(form["to"]?.stringValue == transaction.to?.checksummed)
                #expect(form["gas"] == "0x186a0")
                #expect(form["nonce"] == "0x0")
                #expect(form["value"] == "0x0")
                #expect(form["chainId"] == "0x1")
                #expect(form["data"]?.stringValue == Hex.encode(transaction.data))
                switch transaction.fee {
                case .legacy:
                    #expect(form["gasPrice"] == "0x7" && form["accessList"] == nil)
                case .accessList:
                    #expect(form["gasPrice"] == "0x7")
                    #expect(form["accessList"]?.arrayValue?.count == 1)
                case .dynamic:
                    #expect(form["maxFeePerGas"] == "0x2540be400")
                    #expect(form["maxPriorityFeePerGas"] == "0x1")
                    #expect(form["accessList"] == [])
                }
            }
        }
    }

    @Test("a transaction that was changed in any field is not used")
    func changed() async throws {
        let changes: [(String, @Sendable (inout Transaction) -> Void)] = [
            ("the chain", { $0.chainID = 5 }), ("the nonce", { $0.nonce = 1 }),
            ("the price of gas", { $0.fee = .legacy(gasPrice: Wei(UInt256(1))) }),
            (
                "the price of gas",
                {
                    $0.fee = .dynamic(
                        maxFeePerGas: Wei(UInt256(20_000_000_000)),
                        maxPriorityFeePerGas: Wei(UInt256(1))
                    )
                }
            ),
            ("the gas limit", { $0.gasLimit += 1 }), ("the receiver", { $0.to = Bench.bob }),
            ("the value", { $0.value = Wei(UInt256(1)) }), ("the call data", { $0.data[67] ^= 1 }),
            (
                "the access list",
                { $0.accessList = [AccessListEntry(address: Bench.bob, storageKeys: [])] }
            ),
            ("the authorizations", { $0.authorizations = [Bench.authorization] }),
        ]
        let asked = Bench.transfer(Bench.zrx, "1")
        let key = try PrivateKeySigner(key: UInt256(1).word)
        for (what, change) in changes {
            let (bench, _) = try bench { _, _ in
                var other = asked
                change(&other)
                return try await Self.signing(key, other)
            }
            let error = await failure { () async throws(SigningError) in
                try await bench.sign(asked)
            }
            #expect(error?.code == "changed-transaction")
            #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
            #expect(try bench.log.lines(since: 0).map(\.event) == [.authorized, .failed])
        }
    }

    @Test("a transaction that another key signed, and what is none, is not used")
    func foreign() async throws {
        let asked = Bench.transfer(Bench.zrx, "1")
        let other = try PrivateKeySigner(key: UInt256(2).word)
        let (lying, _) = try bench { _, _ in try await Self.signing(other, asked) }
        let error = await failure { () async throws(SigningError) in try await lying.sign(asked) }
        #expect(error?.code == "wrong-signature")
        let nonsense: [JSONValue] = [
            .null, "", "0x", "0x00", "zz", 1, [:], [], ["raw": 1], ["raw": "0x1234"],
            .string("0x" + String(repeating: "ff", count: 200)),
        ]
        for json in nonsense {
            let (bench, _) = try bench { _, _ in .result(json) }
            let error = await failure { () async throws(SigningError) in
                try await bench.sign(asked)
            }
            #expect(error?.code == "bad-signer-answer", "\(json)")
            #expect(error?.message.hasPrefix("vault gave an answer that cannot be used: ") == true)
        }
    }

    /// Signs the bytes of a message as a node does.
    private static func message(_ json: JSONValue, v: UInt8 = 27) async throws -> SignerNodeAnswer {
        let bytes = try Hex.decode(try #require(json.stringValue))
        let key = try PrivateKeySigner(key: UInt256(1).word)
        let signature = try await key.sign(digest: EthereumMessage.hash(bytes))
        let parts = signature.r.bytes + signature.s.bytes + [signature.yParity + v]
        return .result(.string(Hex.encode(parts)))
    }

    @Test("orders and messages are signed by eth_sign or personal_sign, with v in both forms")
    func messages() async throws {
        for (method, v) in [(MessageMethod.ethSign, 27), (.personalSign, 27), (.ethSign, 0)] {
            let (bench, node) = try bench(method) { name, parameters in
                try await Self.message(parameters[name == "eth_sign" ? 1 : 0], v: UInt8(v))
            }
            _ = try await bench.signer.sign(message: Array("hello".utf8))
            let order = try await bench.signer.sign(
                Bench.ownOrder(),
                terms: SigningTerms(purpose: "limit-order")
            )
            try ZeroExV1().verify(order, exchange: Bench.exchange, recoverer: Secp256k1())
            #expect(node.calls.map(\.method) == [method.rawValue, method.rawValue])
            let account = JSONValue.string(bench.key.address.checksummed)
            let hello = JSONValue.string("0x68656c6c6f")
            #expect(
                node.calls[0].parameters
                    == (method == .ethSign ? [account, hello] : [hello, account])
            )
            #expect(node.calls[1].parameters.contains(.string(order.hash.hex)))
        }
    }

    @Test("a node without eth_sign is asked for personal_sign, unless it was said which to ask")
    func fallback() async throws {
        let answer: TestNode.Answer = { name, parameters in
            guard name == "personal_sign" else {
                return .refused(code: -32_601, message: "the method eth_sign does not exist")
            }
            return try await Self.message(parameters[0])
        }
        let (bench, node) = try bench(nil, answer)
        _ = try await bench.signer.sign(message: [1])
        #expect(node.calls.map(\.method) == ["eth_sign", "personal_sign"])
        let (strict, _) = try self.bench(.ethSign, answer)
        let error = await failure { () async throws(SigningError) in
            _ = try await strict.signer.sign(message: [1])
        }
        #expect(error?.code == "signer-refused")
        #expect(error?.message == "vault did not sign: \"the method eth_sign does not exist\"")
    }

    @Test("a signature over the bare bytes is found out, and the way round it told")
    func unprefixed() async throws {
        let key = try PrivateKeySigner(key: UInt256(1).word)
        let (bench, _) = try bench { _, parameters in
            let bytes = try Hex.decode(try #require(parameters[1].stringValue))
            let bare = try await key.sign(digest: try #require(Bytes32(bytes: bytes)))
            return .result(.string(Hex.encode(bare.r.bytes + bare.s.bytes + [bare.v])))
        }
        let error = await failure { () async throws(SigningError) in
            _ = try await bench.signer.sign(
                Bench.ownOrder(),
                terms: SigningTerms(purpose: "limit-order")
            )
        }
        #expect(error?.code == "wrong-signature")
        #expect(error?.hint?.contains("message_method") == true)
        for text in ["0x", "0x1234", "zz", "0x" + String(repeating: "00", count: 66)] {
            let (bad, _) = try self.bench { _, _ in .result(.string(text)) }
            let error = await failure { () async throws(SigningError) in
                _ = try await bad.signer.sign(message: [1])
            }
            #expect(error?.code == "bad-signer-answer")
        }
    }

    @Test("a user who says no and a node that will not are told apart")
    func refusals() async throws {
        for (code, kind) in [(4_001, SigningError.Kind.declined), (-32_000, .key)] {
            let (bench, _) = try bench { _, _ in
                .refused(code: code, message: String(repeating: "no ", count: 1_000))
            }
            let error = await failure { () async throws(SigningError) in
                _ = try await bench.signer.sign(message: [1])
            }
            #expect(error?.kind == kind)
            #expect((error?.message.count ?? 1_000) < 400)
        }
    }

    // MARK: Programs

    private func bench(
        _ answer: @escaping TestProgram.Answer
    ) throws -> (SigningBench, TestProgram) {
        var bench = try Bench()
        let program = TestProgram(answer)
        bench.holder = ProgramKey(
            address: bench.key.address,
            name: "device",
            program: program,
            recoverer: Secp256k1()
        )
        return (bench, program)
    }

    @Test("a program gets one line with all that it needs, and answers with signature or bytes")
    func program() async throws {
        let key = try PrivateKeySigner(key: UInt256(1).word)
        for wholeTransaction in [false, true] {
            let (bench, program) = try bench { question in
                let digest = try Bytes32(hex: try #require(question["digest"]?.stringValue))
                let signature = try await key.sign(digest: digest)
                if wholeTransaction, question["kind"] == "transaction" {
                    let signed = SignedTransaction(
                        transaction: Bench.transfer(Bench.zrx, "1"),
                        signature: signature,
                        sender: key.address
                    )
                    return "{\"raw\":\"\(Hex.encode(signed.raw))\"}\n"
                }
                let bytes = signature.r.bytes + signature.s.bytes + [signature.v]
                return "{\"signature\":\"\(Hex.encode(bytes))\"}"
            }
            let transaction = Bench.transfer(Bench.zrx, "1")
            try await bench.sign(transaction)
            let order = try await bench.signer.sign(
                Bench.ownOrder(),
                terms: SigningTerms(purpose: "limit-order")
            )
            _ = try await bench.signer.sign(message: Array("hello".utf8))
            let questions = program.questions
            #expect(questions.count == 3)
            #expect(questions.map { $0["version"] } == [1, 1, 1])
            #expect(
                questions.map { $0["kind"]?.stringValue } == ["transaction", "order", "message"]
            )
            let payload = try Hex.decode(try #require(questions[0]["payload"]?.stringValue))
            #expect(Keccak256.hash(payload) == transaction.signingHash)
            #expect(payload.first == 2)
            #expect(questions[0]["transaction"]?["gas"] == "0x186a0")
            #expect(questions[0]["network"] == "mainnet")
            #expect(questions[0]["chainId"] == 1)
            #expect(questions[0]["purpose"] == "test")
            #expect(questions[1]["message"]?.stringValue == order.hash.hex)
            #expect(
                questions[1]["order"]?["makerTokenAmount"]?.stringValue == "5000000000000000000"
            )
            #expect(questions[2]["message"] == "0x68656c6c6f")
            #expect(questions.allSatisfy { $0["account"]?.stringValue == key.address.checksummed })
        }
    }

    @Test("whatever else a program answers is an error that says what it was")
    func programFailures() async throws {
        let cases: [(output: String, status: Int32, code: String, kind: SigningError.Kind)] = [
            ("", 0, "bad-signer-answer", .key), ("", 3, "signer-refused", .key),
            ("hello", 0, "bad-signer-answer", .key), ("[]", 0, "bad-signer-answer", .key),
            ("{}", 0, "bad-signer-answer", .key), ("{} {}", 0, "bad-signer-answer", .key),
            ("{\"signature\":1}", 0, "bad-signer-answer", .key),
            ("{\"signature\":\"0x12\"}", 1, "signer-refused", .key),
            ("{\"error\":\"no device\"}", 0, "signer-refused", .key),
            ("{\"error\":{\"message\":\"no device\"}}", 1, "signer-refused", .key),
            ("{\"error\":\"no\",\"declined\":true}", 0, "declined", .declined),
        ]
        for (output, status, code, kind) in cases {
            var bench = try Bench()
            bench.holder = ProgramKey(
                address: bench.key.address,
                name: "device",
                program: TestProgram(status: status) { _ in output },
                recoverer: Secp256k1()
            )
            let failing = bench
            let error = await failure { () async throws(SigningError) in
                _ = try await failing.signer.sign(message: [1])
            }
            #expect(error?.code == code, "\(output) \(status)")
            #expect(error?.kind == kind)
            #expect(error?.message.contains("device") == true)
            if output.contains("no device") {
                #expect(error?.message.hasSuffix("\"no device\"") == true)
            }
        }
    }
}

/// A node that answers as a test says.
final class TestNode: SignerNode {
    typealias Answer =
        @Sendable (_ method: String, _ parameters: [JSONValue]) async throws -> SignerNodeAnswer

    private let answer: Answer
    private let made = Mutex<[(method: String, parameters: [JSONValue])]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    var calls: [(method: String, parameters: [JSONValue])] { made.withLock { $0 } }

    func call(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(SigningError) -> SignerNodeAnswer {
        made.withLock { $0.append((method, parameters)) }
        do {
            return try await answer(method, parameters)
        } catch {
            throw SigningError.reported(.init(.key, "test", "\(error)"))
        }
    }
}

/// A program that answers as a test says.
final class TestProgram: SignerProgram {
    typealias Answer = @Sendable (_ question: JSONValue) async throws -> String

    private let status: Int32
    private let answer: Answer
    private let asked = Mutex<[JSONValue]>([])

    init(status: Int32 = 0, _ answer: @escaping Answer) {
        self.status = status
        self.answer = answer
    }

    var questions: [JSONValue] { asked.withLock { $0 } }

    func run(_ input: [UInt8]) async throws(SigningError) -> (output: [UInt8], status: Int32) {
        do {
            let text = String(decoding: input, as: UTF8.self)
            guard text.hasSuffix("}\n"), !text.dropLast().contains("\n") else {
                throw SigningError.reported(.init(.key, "test", "not one line"))
            }
            let question = try JSONParser.parse(input)
            asked.withLock { $0.append(question) }
            return (Array(try await answer(question).utf8), status)
        } catch {
            throw SigningError.reported(.init(.key, "test", "\(error)"))
        }
    }
}
