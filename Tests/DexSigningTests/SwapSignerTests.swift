import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Permit2 messages at signers outside of this process")
struct SwapSignerTests {
    typealias Bench = SigningBench

    private func failure(_ body: () async throws(SigningError) -> Void) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func node(_ answer: @escaping TestNode.Answer) throws -> (SigningBench, TestNode) {
        var bench = try SwapBench.bench()
        let node = TestNode(answer)
        bench.holder = NodeKey(
            address: bench.key.address,
            name: "vault",
            node: node,
            method: nil,
            recoverer: Secp256k1()
        )
        return (bench, node)
    }

    private func program(
        _ answer: @escaping TestProgram.Answer
    ) throws -> (SigningBench, TestProgram) {
        var bench = try SwapBench.bench()
        let program = TestProgram(answer)
        bench.holder = ProgramKey(
            address: bench.key.address,
            name: "device",
            program: program,
            recoverer: Secp256k1()
        )
        return (bench, program)
    }

    @discardableResult
    private func sign(_ bench: SigningBench) async throws(SigningError) -> Signature {
        try await bench.signer.sign(
            permit: SwapBench.permit(),
            chainID: 1,
            terms: SigningTerms(purpose: "permit", genuine: bench.genuine)
        )
    }

    private static func key(_ number: UInt64 = 1) throws -> PrivateKeySigner {
        try PrivateKeySigner(key: UInt256(number).word)
    }

    private static func bytes(_ signature: Signature) -> String {
        Hex.encode(signature.r.bytes + signature.s.bytes + [signature.v])
    }

    /// What a wallet shows and signs, which is exactly the permit.
    private func expectPermit(_ shown: JSONValue) throws {
        let data = try TypedData(json: shown)
        #expect(data.digest == SwapBench.permit().hash)
        #expect(shown["primaryType"] == "PermitTransferFrom")
        #expect(shown["domain"]?["name"] == "Permit2")
        #expect(shown["domain"]?["version"] == nil)
        #expect(shown["types"]?["EIP712Domain"]?.arrayValue?.count == 3)
        let message = try #require(shown["message"])
        #expect(message["permitted"]?["amount"] == "5000000000000000000")
        #expect(message["deadline"] == "1800000600")
    }

    @Test("a node is asked for the typed data, as text, and its answer is used")
    func typedData() async throws {
        let (bench, node) = try node { _, parameters in
            let shown = try JSONParser.parse(text: try #require(parameters[1].stringValue))
            let digest = try TypedData(json: shown).digest
            return .result(.string(Self.bytes(try Self.key().signature(over: digest))))
        }
        let signature = try await sign(bench)
        #expect(signature == (try Self.key().signature(over: SwapBench.permit().hash)))
        let call = try #require(node.calls.first)
        #expect(node.calls.count == 1)
        #expect(call.method == "eth_signTypedData_v4")
        #expect(call.parameters[0].stringValue == bench.key.address.checksummed)
        try expectPermit(JSONParser.parse(text: try #require(call.parameters[1].stringValue)))
    }

    @Test("the signature of another key, or over anything else, is not used")
    func foreign() async throws {
        let permit = SwapBench.permit()
        let more = SwapBench.permit("6")
        let answers: [(String, @Sendable () throws -> Signature)] = [
            ("another key", { try Self.key(2).signature(over: permit.hash) }),
            ("another amount", { try Self.key().signature(over: more.hash) }),
            (
                "a message",
                { try Self.key().signature(over: EthereumMessage.hash(permit.hash.bytes)) }
            ),
        ]
        for (what, answer) in answers {
            let (asked, _) = try node { _, _ in .result(.string(Self.bytes(try answer()))) }
            let error = await failure { () async throws(SigningError) in try await sign(asked) }
            #expect(error?.code == "wrong-signature", "\(what)")
            #expect(try asked.log.lines(since: 0).map(\.event) == [.authorized, .failed])
            let (device, _) = try program { _ in
                #"{"signature":"\#(Self.bytes(try answer()))"}"#
            }
            let other = await failure { () async throws(SigningError) in try await sign(device) }
            #expect(other?.code == "wrong-signature", "\(what)")
            #expect(try device.spent() == [:])
        }
        for json: JSONValue in [.null, "0x", "0x1234", 7, [:]] {
            let (asked, _) = try node { _, _ in .result(json) }
            let error = await failure { () async throws(SigningError) in try await sign(asked) }
            #expect(error?.code == "bad-signer-answer", "\(json)")
        }
    }

    @Test("a node that cannot sign typed data, and a user who says no, are told apart")
    func refusals() async throws {
        let (lacking, node) = try node { _, _ in
            .refused(code: -32_601, message: "the method does not exist")
        }
        let error = await failure { () async throws(SigningError) in try await sign(lacking) }
        #expect(error?.code == "no-typed-data")
        #expect(error?.kind == .key)
        #expect(error?.message.hasPrefix("vault has no eth_signTypedData_v4") == true)
        #expect(error?.hint?.contains("--permit2") == true)
        #expect(error?.hint?.contains("ethsign") == false)
        #expect(node.calls.count == 1)
        let (declining, _) = try self.node { _, _ in .refused(code: 4_001, message: "no") }
        let no = await failure { () async throws(SigningError) in try await sign(declining) }
        #expect(no?.kind == .declined)
    }

    @Test("a program gets the typed data and the hash, and no message that it could sign instead")
    func program() async throws {
        let (bench, program) = try program { question in
            let digest = try Bytes32(hex: try #require(question["digest"]?.stringValue))
            return #"{"signature":"\#(Self.bytes(try Self.key().signature(over: digest)))"}"#
        }
        try await sign(bench)
        let question = try #require(program.questions.first)
        #expect(question["kind"] == "permit")
        #expect(question["purpose"] == "permit")
        #expect(question["message"] == nil && question["order"] == nil)
        #expect(question["digest"]?.stringValue == SwapBench.permit().hash.hex)
        try expectPermit(try #require(question["typedData"]))
    }
}
