import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexSigning

@Suite("Typed data: what it allows, and the rules of it")
struct TypedDataTests {
    typealias Bench = SigningBench
    typealias Typed = TypedDataBench

    private static let five = Bench.units("5")

    // MARK: What it allows

    @Test("permits of tokens are read, EIP-2612's and DAI's")
    func permits() throws {
        let permit = try #require(TypedGrant(try Typed.permit()))
        #expect(permit.kind == .permit)
        #expect(permit.owner == Bench.own && permit.spender == Typed.spender)
        #expect(permit.parts.map(\.token) == [Bench.zrx])
        #expect(permit.parts.map(\.amount) == [Self.five])
        #expect(permit.parts.map(\.isUnlimited) == [false])
        #expect(permit.parts.map(\.expires) == [nil])
        #expect(permit.deadline == UInt256(Typed.deadline))
        let dai = try #require(TypedGrant(try Typed.daiPermit(isAllowed: true)))
        #expect(dai.parts.map(\.isUnlimited) == [true])
        #expect(dai.deadline == .max)
        let ended = try #require(TypedGrant(try Typed.daiPermit(isAllowed: false)))
        #expect(ended.parts.map(\.amount) == [.zero])
    }

    @Test("Permit2's allowances and transfers are read, one token or several, with a witness too")
    func permit2() throws {
        let single = try #require(TypedGrant(try Typed.single()))
        #expect(single.kind == .permit2Allowance && single.owner == nil)
        #expect(single.parts.map(\.expires) == [UInt256(Bench.now + 1_000)])
        // Zero is the block in which it is submitted: until the signature's own deadline.
        let zero = try #require(TypedGrant(try Typed.single(expires: 0)))
        #expect(zero.parts.map(\.expires) == [UInt256(Typed.deadline)])
        let batch = try #require(TypedGrant(try Typed.batch()))
        #expect(batch.parts.map(\.token) == [Bench.zrx, Bench.weth])
        #expect(batch.parts.map(\.amount) == [Self.five, 7])
        let transfer = try #require(TypedGrant(try Typed.transfer()))
        #expect(transfer.kind == .permit2Transfer && !transfer.hasWitness)
        #expect(transfer.parts.map(\.expires) == [UInt256(Typed.deadline)])
        let witness = try #require(TypedGrant(try Typed.batchWithWitness()))
        #expect(witness.hasWitness)
        #expect(witness.parts.map(\.amount) == [Self.five, 7])
    }

    @Test("orders of 0x v4 are read")
    func orders() throws {
        let order = try #require(TypedGrant(try Typed.limitOrder()))
        #expect(order.kind == .limitOrder && order.owner == Bench.own)
        #expect(order.parts.map(\.amount) == [Self.five])
        #expect(order.receives?.token == Bench.weth && order.receives?.amount == 7)
        #expect(order.receives?.taker == nil)
        let rfq = RfqOrderV4(
            makerToken: Bench.zrx,
            takerToken: Bench.weth,
            makerAmount: 5,
            takerAmount: 7,
            maker: Bench.own,
            taker: Bench.bob,
            txOrigin: Typed.spender,
            expiry: Typed.deadline,
            salt: 3
        )
        let domain = ExchangeDomainV4(chainID: 1, exchange: Bench.exchange)
        let data = try Typed.data(
            [RfqOrderV4.encodedType],
            "RfqOrder",
            .init(name: "ZeroEx", version: "1.0.0", contract: Bench.exchange),
            [
                .address(Bench.zrx), .address(Bench.weth), .uint(5), .uint(7),
                .address(Bench.own), .address(Bench.bob), .address(Typed.spender),
                .word(.zero), .uint(UInt256(Typed.deadline)), .uint(3),
            ]
        )
        // Else a test of another message than the contract's.
        #expect(
            data.digest
                == TypedData.digest(
                    domainSeparator: domain.separator,
                    structHash: rfq.structHash
                )
        )
        let read = try #require(TypedGrant(data))
        #expect(read.kind == .rfqOrder)
        #expect(read.receives?.taker == Bench.bob && read.receives?.sender == Typed.spender)
    }

    @Test("unlimited: half of 160 bits and more, and the largest of 96 bits")
    func unlimited() throws {
        let limit = UInt256(1) << 159
        for (amount, expected) in [
            (UInt256.max, true), (limit, true), (limit &- 1, false),
            ((UInt256(1) << 96) &- 1, true), ((UInt256(1) << 96) &- 2, false),
        ] {
            let grant = try #require(TypedGrant(try Typed.permit(amount)))
            #expect(grant.parts.map(\.isUnlimited) == [expected], "\(amount)")
        }
    }

    @Test("a message that only looks like a known one is not known")
    func nearMisses() throws {
        let values: [ABIValue] = [
            .address(Bench.own), .address(Typed.spender), .uint(5), .uint(0), .uint(9),
        ]
        let others = [
            // Another order, another type, one member more.
            "Permit(address spender,address owner,uint256 value,uint256 nonce,uint256 deadline)",
            "Permit(address owner,address spender,uint128 value,uint256 nonce,uint256 deadline)",
            "Permit(address owner,address spender,uint256 amount,uint256 nonce,uint256 deadline)",
        ]
        for type in others {
            #expect(TypedGrant(try Typed.data([type], "Permit", .init(), values)) == nil, "\(type)")
        }
        // A token's permit without a contract is nobody's.
        #expect(TypedGrant(try Typed.permit(5, .init(contract: nil))) == nil)
        // Permit2's messages at another contract, or under another domain.
        #expect(TypedGrant(try Typed.single(5, .init(name: "Permit2", version: nil))) == nil)
        var domain = Typed.Domain.permit2
        domain.version = "1"
        #expect(TypedGrant(try Typed.transfer(domain)) == nil)
        domain = .permit2
        domain.chainID = nil
        #expect(TypedGrant(try Typed.transfer(domain)) == nil)
        let more = try Typed.data(
            [
                "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
                    + "uint256 deadline,uint256 more)", Typed.permissions,
            ],
            "PermitTransferFrom",
            .permit2,
            [
                .tuple([.address(Bench.zrx), .uint(5)]), .address(Typed.spender), .uint(9),
                .uint(9), .uint(1),
            ]
        )
        #expect(TypedGrant(more) == nil)
        #expect(TypedGrant(try Typed.login()) == nil)
    }

    // MARK: Rules

    private func rule(
        _ data: TypedData,
        _ change: (inout SigningBench) -> Void = { _ in }
    ) throws -> String? {
        var bench = try Bench()
        change(&bench)
        return bench.refusal(.typedData(data))?.rule
    }

    @Test("permits are held against amounts, tokens, spenders and recipients like approvals")
    func permitRules() throws {
        for data in [try Typed.permit(), try Typed.single(), try Typed.transfer()] {
            #expect(try rule(data) == nil)
            for (amount, expected) in [("5", nil), ("4.9", "max_per_trade.ZRX")] {
                #expect(
                    try rule(data) {
                        $0.policy.perTrade = [.token(Bench.zrx): Bench.units(amount)]
                    } == expected
                )
            }
            #expect(
                try rule(data) { $0.policy.perDay = [.token(Bench.zrx): Bench.units("4.9")] }
                    == "max_per_day.ZRX"
            )
            #expect(try rule(data) { $0.policy.tokens = [.token(Bench.weth)] } == "tokens")
            #expect(try rule(data) { $0.policy.tokens = [.token(Bench.zrx)] } == nil)
            #expect(try rule(data) { $0.policy.spenders = [Bench.exchange] } == "spenders")
            #expect(try rule(data) { $0.policy.spenders = [Typed.spender] } == nil)
            #expect(try rule(data) { $0.policy.recipients = [Bench.bob] } == "recipients")
            #expect(try rule(data) { $0.policy.recipients = [Typed.spender] } == nil)
            #expect(try rule(data) { $0.policy.networks = ["base"] } == "networks")
        }
        // A limit binds the unlimited one, and each token of several.
        #expect(
            try rule(Typed.daiPermit(isAllowed: true)) {
                $0.policy.perTrade = [.token(Bench.zrx): Bench.units("1000")]
            } == "max_per_trade.ZRX"
        )
        #expect(
            try rule(Typed.batchWithWitness()) { $0.policy.perTrade = [.token(Bench.weth): 6] }
                == "max_per_trade.WETH"
        )
        // Ending an allowance is always allowed.
        #expect(
            try rule(Typed.daiPermit(isAllowed: false)) {
                $0.policy.spenders = []
                $0.policy.tokens = []
                $0.policy.recipients = []
            } == nil
        )
    }

    @Test("an order as typed data is held against the rules of orders")
    func orderRules() throws {
        let data = try Typed.limitOrder()
        #expect(
            try rule(data) { $0.policy.perTrade = [.token(Bench.zrx): Bench.units("4.9")] }
                == "max_per_trade.ZRX"
        )
        #expect(try rule(data) { $0.policy.tokens = [.token(Bench.zrx)] } == "tokens")
        #expect(try rule(data) { $0.policy.spenders = [Bench.proxy] } == "spenders")
        #expect(try rule(data) { $0.policy.spenders = [Bench.exchange] } == nil)
        // What another contract would do with it is not known.
        let foreign = try Typed.limitOrder(exchange: Bench.bob)
        #expect(try rule(foreign) == nil)
        #expect(
            try rule(foreign) { $0.policy.perTrade = [.token(Bench.zrx): .max] } == "spenders"
        )
        let another = try Typed.limitOrder(maker: Bench.bob)
        #expect(try rule(another) { $0.policy.recipients = [] } == "spenders")
    }

    @Test("unknown typed data is refused once money is limited, unless typed_data lists it")
    func unread() throws {
        let login = try Typed.login(.init(contract: Bench.bob))
        #expect(try rule(login) == nil)
        let limits: [(inout SigningBench) -> Void] = [
            { $0.policy.perTrade = [.token(Bench.weth): 1] },
            { $0.policy.perDay = [.token(Bench.weth): 1] },
            { $0.policy.tokens = [.token(Bench.weth)] },
            { $0.policy.recipients = [] },
        ]
        for limit in limits {
            #expect(try rule(login, limit) == "spenders")
            #expect(
                try rule(login) {
                    limit(&$0)
                    $0.policy.typedData = [Bench.bob]
                } == nil
            )
        }
        #expect(try rule(login) { $0.policy.typedData = [] } == "typed_data")
        let bare = try Typed.login(.init(contract: nil))
        #expect(try rule(bare) { $0.policy.typedData = [Bench.bob] } == "typed_data")
        #expect(try rule(bare) { $0.policy.recipients = [] } == "spenders")
        // What is unread at an exchange or Permit2 may be an order or an allowance.
        for contract in [Bench.exchange, Bench.proxy, ZeroExSwapContracts.permit2] {
            let data = try Typed.login(.init(contract: contract))
            let refused = try rule(data) {
                $0.policy.typedData = [contract]
                $0.policy.perTrade = [.token(Bench.weth): 1]
            }
            #expect(refused == "spenders")
        }
        // It is no way around the rules of a known kind.
        #expect(
            try rule(Typed.permit()) {
                $0.policy.typedData = [Bench.zrx]
                $0.policy.perTrade = [.token(Bench.zrx): 1]
            } == "max_per_trade.ZRX"
        )
        #expect(try rule(Typed.permit()) { $0.policy.typedData = [] } == nil)
    }

    @Test("a permit without a chain, or for another owner, is not understood")
    func uncertainPermits() throws {
        for data in [try Typed.permit(5, .init(chainID: nil)), try Typed.permit(owner: Bench.bob)] {
            #expect(try rule(data) == nil)
            #expect(try rule(data) { $0.policy.perTrade = [.token(Bench.zrx): .max] } == "spenders")
        }
    }

    @Test("another chain is refused by every key, whatever the rules are")
    func otherChain() async throws {
        let bench = try Bench()
        for chainID: UInt64 in [0, 5, .max] {
            let data = try Typed.permit(5, .init(chainID: chainID))
            #expect(bench.refusal(.typedData(data))?.rule == "chain")
            let error = await #expect(throws: SigningError.self) {
                try await bench.signer.sign(typedData: data)
            }
            #expect(error?.code == "other-chain" && error?.kind == .refused)
        }
        #expect(try bench.log.lines(since: 0).map(\.event) == [.refused, .refused, .refused])
    }

    // MARK: The log, and what counts

    @Test("a signature is the account's over the digest, and its line has what it allows")
    func line() async throws {
        let bench = try Bench()
        let data = try Typed.single()
        let signature = try await bench.signer.sign(typedData: data)
        #expect(try Secp256k1().recover(digest: data.digest, signature: signature) == Bench.own)
        let lines = try bench.log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .signed])
        let json = try #require(lines.first?.json)
        #expect(json["kind"] == "typed-data" && json["type"] == "PermitSingle")
        #expect(json["function"] == "permit2-allowance")
        #expect(json["digest"]?.stringValue == data.digest.hex)
        #expect(json["to"]?.stringValue == ZeroExSwapContracts.permit2.checksummed)
        let approval = try #require(json["approvals"]?.arrayValue?.first)
        #expect(approval["spender"]?.stringValue == Typed.spender.checksummed)
        #expect(approval["amount"]?.stringValue == Self.five.description)
        #expect(approval["expires"]?.stringValue == "1800001000")
    }

    @Test("an allowance in Permit2 counts until a day after its end, one in a token for good")
    func counts() async throws {
        let folder = try SigningFolder()
        var bench = try Bench(log: AuditFile(path: folder.log))
        _ = try await bench.signer.sign(typedData: try Typed.single())
        #expect(try bench.spent() == [.token(Bench.zrx): Self.five])
        bench.now = Bench.now + 1_000 + Policy.day
        #expect(try bench.spent() == [:])
        bench.now -= 1
        #expect(try bench.spent() == [.token(Bench.zrx): Self.five])
        _ = try await bench.signer.sign(typedData: try Typed.permit(3))
        bench.now += 100 * Policy.day
        #expect(try bench.spent() == [.token(Bench.zrx): 3])
    }

    @Test("an order as typed data counts until a day after it expires")
    func orderCounts() async throws {
        var bench = try Bench()
        _ = try await bench.signer.sign(typedData: try Typed.limitOrder())
        bench.now = Typed.deadline + Policy.day - 1
        #expect(try bench.spent() == [.token(Bench.zrx): Self.five])
        bench.now += 1
        #expect(try bench.spent() == [:])
    }

    // MARK: The ways to a key

    @Test("an unlocked key gets typed data whole, and a damaged one is none")
    func agent() throws {
        for data in [try Typed.permit(), try Typed.batchWithWitness(), try Typed.login()] {
            let json = AgentCodec.content(.typedData(data))
            #expect(AgentCodec.content(json) == .typedData(data))
            let text = json.text.replacing("\"primaryType\"", with: "\"primary\"")
            #expect(AgentCodec.content(try JSONParser.parse(Array(text.utf8))) == nil)
        }
    }

    @Test("a program outside gets the typed data, and a node is asked by eth_signTypedData_v4")
    func outside() async throws {
        let bench = try Bench()
        let data = try Typed.permit()
        let question = SignerCodec.question(bench.request(.typedData(data)))
        #expect(question["kind"] == "typed-data" && question["typedData"] == data.json)
        #expect(question["message"] == nil)
        let node = TypedDataNodeFake(key: bench.key, data: data)
        var outside = bench
        outside.holder = NodeKey(
            address: bench.key.address,
            name: "vault",
            node: node,
            method: nil,
            recoverer: Secp256k1()
        )
        _ = try await outside.signer.sign(typedData: data)
        outside.holder = NodeKey(
            address: bench.key.address,
            name: "vault",
            node: TypedDataNodeFake(key: nil, data: data),
            method: nil,
            recoverer: Secp256k1()
        )
        let plain = outside
        let error = await #expect(throws: SigningError.self) {
            try await plain.signer.sign(typedData: data)
        }
        #expect(error == .noTypedMessage(name: "vault", method: "eth_signTypedData_v4"))
    }
}

/// A node that signs this data, or that lacks the method.
private struct TypedDataNodeFake: SignerNode {
    let key: PrivateKeySigner?
    let data: TypedData

    func call(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(SigningError) -> SignerNodeAnswer {
        guard method == "eth_signTypedData_v4", let key,
            parameters == [.string(key.address.checksummed), .string(data.json.text)]
        else { return .refused(code: -32_601, message: "no such method") }
        do throws(SignerError) {
            let signature = try await key.sign(digest: data.digest)
            return .result(
                .string(Hex.encode(signature.r.bytes + signature.s.bytes + [signature.v]))
            )
        } catch {
            throw .signer(error)
        }
    }
}
