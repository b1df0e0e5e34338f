import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Signing on a v4 network")
struct SigningV4Tests {
    typealias Bench = SigningBench

    private static let domain = ExchangeDomainV4(chainID: 1, exchange: Bench.exchange)

    private static func zeroEx(_ kind: SignatureKindV4 = .eip712) -> ZeroExV4 {
        ZeroExV4(domain: domain, signatureKind: kind)
    }

    private func bench(_ kind: SignatureKindV4 = .eip712) throws -> SigningBench {
        var bench = try Bench()
        bench.exchangeProtocol = Self.zeroEx(kind)
        bench.feeToken = nil
        return bench
    }

    /// An order of our own: 5 ZRX for 1 WETH, of which its taker pays a tenth more.
    private static var ownOrder: OrderDraft {
        var draft = Bench.ownOrder()
        draft.fees = OrderFees(recipient: Bench.bob, makerFee: 0, takerFee: Bench.units("0.1"))
        return draft
    }

    private func failure(_ body: () async throws(SigningError) -> Void) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func sign(_ bench: SigningBench) async throws(SigningError) -> any SignedOrder {
        try await bench.signer.sign(Self.ownOrder, terms: SigningTerms(purpose: "limit-order"))
    }

    // MARK: Keys elsewhere

    private func node(
        _ kind: SignatureKindV4 = .eip712,
        _ answer: @escaping TestNode.Answer
    ) throws -> (SigningBench, TestNode) {
        var bench = try bench(kind)
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

    private static func text(_ signature: Signature, v: UInt8 = 27) -> SignerNodeAnswer {
        let bytes = signature.r.bytes + signature.s.bytes + [signature.yParity + v]
        return .result(.string(Hex.encode(bytes)))
    }

    @Test("a node signs an order's hash itself by eth_signTypedData_v4, with all of its terms")
    func typedData() async throws {
        for v in [0, 27] as [UInt8] {
            let key = try PrivateKeySigner(key: UInt256(1).word)
            let (bench, node) = try node { _, parameters in
                let text = try #require(parameters[1].stringValue)
                let data = try TypedData(json: try JSONParser.parse(text: text))
                return Self.text(try await key.sign(digest: data.digest), v: v)
            }
            let order = try #require(try await sign(bench) as? SignedOrderV4)
            try Self.zeroEx().verify(order, exchange: Bench.exchange, recoverer: Secp256k1())
            #expect(order.signature.type == SignatureKindV4.eip712.rawValue)
            #expect(node.calls.map(\.method) == ["eth_signTypedData_v4"])
            let call = try #require(node.calls.first)
            #expect(call.parameters.count == 2)
            #expect(call.parameters[0].stringValue == bench.key.address.checksummed)
            let shown = try JSONParser.parse(text: try #require(call.parameters[1].stringValue))
            #expect(shown["primaryType"] == "LimitOrder")
            #expect(shown["domain"]?["name"] == "ZeroEx")
            #expect(shown["message"]?["makerAmount"] == "5000000000000000000")
            #expect(shown["message"]?["takerTokenFeeAmount"] == "100000000000000000")
            #expect(shown["types"]?["LimitOrder"]?.arrayValue?.count == 12)
            #expect(shown["types"]?["EIP712Domain"]?.arrayValue?.count == 4)
        }
    }

    @Test("a node that signs messages only is not asked for one: the way round is told")
    func noTypedData() async throws {
        let (bench, node) = try node { _, _ in
            .refused(code: -32_601, message: "the method does not exist")
        }
        let error = await failure { () async throws(SigningError) in _ = try await sign(bench) }
        #expect(error?.code == "no-typed-data")
        #expect(error?.kind == .key)
        #expect(error?.message.hasPrefix("vault has no eth_signTypedData_v4") == true)
        #expect(
            error?.hint == "Sign orders as messages (EIP-191): "
                + "dex config set networks.mainnet.signature ethsign"
        )
        #expect(node.calls.count == 1)
    }

    @Test("a signature over something else, another key's, a refusal and nonsense are not used")
    func badAnswers() async throws {
        let other = try PrivateKeySigner(key: UInt256(2).word)
        let own = try PrivateKeySigner(key: UInt256(1).word)
        let hash = Self.zeroEx().hash(of: Self.ownOrder).word
        let cases: [(SignerNodeAnswer, String)] = [
            (Self.text(try await other.sign(digest: hash)), "wrong-signature"),
            // As a message: what the network is not set to.
            (Self.text(try await own.sign(digest: EthereumMessage.hash(hash))), "wrong-signature"),
            (.result(.string("0x1234")), "bad-signer-answer"),
            (.result(.null), "bad-signer-answer"),
            (.refused(code: 4_001, message: "no"), "declined"),
            (.refused(code: -32_000, message: "locked"), "signer-refused"),
        ]
        for (answer, code) in cases {
            let (bench, _) = try node { _, _ in answer }
            let error = await failure { () async throws(SigningError) in
                _ = try await sign(bench)
            }
            #expect(error?.code == code)
        }
    }

    @Test("where the network says ethsign, a node is asked for a message as on v1")
    func messages() async throws {
        let key = try PrivateKeySigner(key: UInt256(1).word)
        let (bench, node) = try node(.ethSign) { _, parameters in
            let bytes = try Hex.decode(try #require(parameters[1].stringValue))
            return Self.text(try await key.sign(digest: EthereumMessage.hash(bytes)))
        }
        let order = try #require(try await sign(bench) as? SignedOrderV4)
        #expect(order.signature.type == SignatureKindV4.ethSign.rawValue)
        #expect(node.calls.map(\.method) == ["eth_sign"])
        #expect(node.calls[0].parameters[1].stringValue == order.hash.hex)
    }

    @Test("a program gets the typed data, or the message, never both")
    func program() async throws {
        for kind in [SignatureKindV4.eip712, .ethSign] {
            var bench = try bench(kind)
            let key = bench.key
            let program = TestProgram { question in
                let digest = try Bytes32(hex: try #require(question["digest"]?.stringValue))
                let signature = try await key.sign(digest: digest)
                let bytes = signature.r.bytes + signature.s.bytes + [signature.v]
                return "{\"signature\":\"\(Hex.encode(bytes))\"}"
            }
            bench.holder = ProgramKey(
                address: key.address,
                name: "device",
                program: program,
                recoverer: Secp256k1()
            )
            let order = try await sign(bench)
            let question = try #require(program.questions.first)
            let isTyped = kind == .eip712
            #expect((question["message"] == nil) == isTyped)
            #expect((question["typedData"] != nil) == isTyped)
            if let data = question["typedData"] {
                #expect(try TypedData(json: data).digest == order.hash.word)
            }
            #expect(question["order"]?["takerTokenFeeAmount"] == "100000000000000000")
        }
    }

    @Test("an unlocked key hashes what it signs by itself, in both ways to sign, for its own chain")
    func unlocked() async throws {
        for kind in [SignatureKindV4.eip712, .ethSign] {
            let bench = try bench(kind)
            let grant = AgentGrant(
                account: bench.key.address,
                seconds: 900,
                places: [
                    AgentGrant.Place(
                        scope: bench.scope,
                        policy: Policy(source: "unlock", coin: .ether)
                    )
                ]
            )
            let read = try #require(
                AgentGrant(
                    grant.json,
                    implementation: { deployment in
                        #expect(deployment.chainID == 1 && deployment.exchange == Bench.exchange)
                        #expect(deployment.version == .v4)
                        return Self.zeroEx(deployment.orderSigning == .eip712 ? .eip712 : .ethSign)
                    },
                    swapRules: { ZeroExSwapRules(chainID: $0) }
                )
            )
            let agent = SigningAgent(
                grant: read,
                key: bench.holder,
                rules: { _ in Policy(source: "policy.toml", coin: .ether) },
                log: MemoryAuditLog(),
                isLocked: true,
                recoverer: Secp256k1(),
                clock: { 0 },
                now: { Bench.now }
            )
            let question = AgentKey.question(
                .order(Self.ownOrder),
                network: "mainnet",
                purpose: "limit-order"
            )
            let digest = Self.zeroEx(kind).digest(of: Self.ownOrder)
            let signature = try bench.key.signature(over: digest)
            let bytes = signature.r.bytes + signature.s.bytes + [signature.yParity]
            let answer = await agent.answer(question)
            #expect(answer["signature"]?.stringValue == Hex.encode(bytes), "\(answer)")
            var elsewhere = Self.ownOrder
            elsewhere.exchange = Bench.bob
            let refused = await agent.answer(
                AgentKey.question(.order(elsewhere), network: "mainnet", purpose: "limit-order")
            )
            #expect(refused["error"]?["code"] == "agent-refused")
        }
    }
}
