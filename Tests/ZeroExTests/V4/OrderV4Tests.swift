import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 orders")
struct OrderV4Tests {
    @Test("hashes and both signatures equal the vectors', for 36 limit orders")
    func limitVectors() async throws {
        let vectors = try Vectors.orderV4.array("limitOrders")
        #expect(vectors.count == 36)
        for vector in vectors {
            let json = try vector.object("order")
            let order = LimitOrderV4(
                makerToken: try json.address("makerToken"),
                takerToken: try json.address("takerToken"),
                makerAmount: try #require(try json.number("makerAmount").uint128),
                takerAmount: try #require(try json.number("takerAmount").uint128),
                takerTokenFeeAmount: try #require(try json.number("takerTokenFeeAmount").uint128),
                maker: try json.address("maker"),
                taker: try json.address("taker"),
                sender: try json.address("sender"),
                feeRecipient: try json.address("feeRecipient"),
                pool: try json.word("pool"),
                expiry: try #require(try json.number("expiry").uint64),
                salt: try json.number("salt")
            )
            let domain = try check(order, vector)
            for (name, kind) in Self.kinds {
                let wanted = try signature(vector.object("signatures").object(name))
                let signer = try PrivateKeySigner(hex: vector.text("privateKey"))
                let signed = try await SignedOrderV4.sign(
                    order,
                    in: domain,
                    kind: kind,
                    with: signer
                )
                #expect(signed.signature == wanted)
                #expect(signed.hash.hex == (try vector.text("orderHash")))
            }
        }
    }

    @Test("hashes and both signatures equal the vectors', for 12 RFQ orders")
    func rfqVectors() throws {
        let vectors = try Vectors.orderV4.array("rfqOrders")
        #expect(vectors.count == 12)
        for vector in vectors {
            let json = try vector.object("order")
            let order = RfqOrderV4(
                makerToken: try json.address("makerToken"),
                takerToken: try json.address("takerToken"),
                makerAmount: try #require(try json.number("makerAmount").uint128),
                takerAmount: try #require(try json.number("takerAmount").uint128),
                maker: try json.address("maker"),
                taker: try json.address("taker"),
                txOrigin: try json.address("txOrigin"),
                pool: try json.word("pool"),
                expiry: try #require(try json.number("expiry").uint64),
                salt: try json.number("salt")
            )
            let domain = try check(order, vector)
            for (name, kind) in Self.kinds {
                let signer = try PrivateKeySigner(hex: vector.text("privateKey"))
                let made = try signer.signature(over: kind.digest(of: order.hash(in: domain)))
                #expect(
                    SignatureV4(made, kind: kind)
                        == (try signature(vector.object("signatures").object(name)))
                )
            }
        }
    }

    private static let kinds = [("eip712", SignatureKindV4.eip712), ("ethSign", .ethSign)]

    /// The hashes and the signer, and the same by the general codec from wallets' JSON.
    private func check(
        _ order: some NativeOrderV4,
        _ vector: JSONValue
    ) throws -> ExchangeDomainV4 {
        let domain = ExchangeDomainV4(
            chainID: try #require(try vector.number("chainId").uint64),
            exchange: try vector.address("verifyingContract")
        )
        #expect(domain.separator.hex == (try vector.text("domainSeparator")))
        #expect(order.structHash.hex == (try vector.text("structHash")))
        let hash = order.hash(in: domain)
        #expect(hash.hex == (try vector.text("orderHash")))
        #expect(try typedData(order, vector, domain).digest == hash.word)
        for (name, _) in Self.kinds {
            let signature = try signature(vector.object("signatures").object(name))
            #expect(try signature.signer(of: hash, recoverer: Secp256k1()) == order.maker)
        }
        return domain
    }

    /// The order as a wallet is asked to sign it.
    private func typedData<Order: NativeOrderV4>(
        _ order: Order,
        _ vector: JSONValue,
        _ domain: ExchangeDomainV4
    ) throws -> TypedData {
        let open = try #require(Order.encodedType.firstIndex(of: "("))
        let name = String(Order.encodedType[..<open])
        let members = Order.encodedType[open...].dropFirst().dropLast().split(separator: ",").map {
            let parts = $0.split(separator: " ")
            return (name: String(parts[1]), type: String(parts[0]))
        }
        let types = try TypedDataTypes([TypedDataStruct(name, members)])
        #expect(types.encodedType(of: name) == Order.encodedType)
        #expect(types.typeHash(of: name) == Order.typeHash)
        #expect(members.count == Order.wordCount)
        var json = JSONObject()
        for (key, value) in [
            ("types", try typesJSON(types, name)), ("primaryType", .string(name)),
            (
                "domain",
                [
                    "name": "ZeroEx", "version": "1.0.0", "chainId": .integer(domain.chainID),
                    "verifyingContract": .string(domain.exchange.checksummed),
                ]
            ),
            ("message", try vector.object("order")),
        ] as [(String, JSONValue)] { json[key] = value }
        let data = try TypedData(json: .object(json))
        #expect(data.domain == domain.typedDomain)
        #expect(data.domain.separator == domain.separator)
        return data
    }

    private func typesJSON(_ types: TypedDataTypes, _ name: String) throws -> JSONValue {
        let structure = try #require(types[name])
        return [
            "EIP712Domain": [
                ["name": "name", "type": "string"], ["name": "version", "type": "string"],
                ["name": "chainId", "type": "uint256"],
                ["name": "verifyingContract", "type": "address"],
            ],
            name: .array(
                structure.members.map {
                    ["name": .string($0.name), "type": .string($0.type.name)]
                }
            ),
        ]
    }

    private func signature(_ json: JSONValue) throws -> SignatureV4 {
        SignatureV4(
            type: UInt8(truncatingIfNeeded: try json.number("signatureType")),
            v: UInt8(truncatingIfNeeded: try json.number("v")),
            r: try json.word("r"),
            s: try json.word("s")
        )
    }

    @Test("type hashes are those of the contract")
    func typeHashes() throws {
        #expect(LimitOrderV4.typeHash == (try Vectors.orderV4.word("limitOrderTypeHash")))
        #expect(RfqOrderV4.typeHash == (try Vectors.orderV4.word("rfqOrderTypeHash")))
        let domain = SamplesV4.domain.typedDomain
        #expect(
            Keccak256.hash(domain.encodedType.utf8) == (try Vectors.orderV4.word("domainTypeHash"))
        )
        let name = try #require(domain.name)
        #expect(Keccak256.hash(name.utf8) == (try Vectors.orderV4.word("nameHash")))
        let version = try #require(domain.version)
        #expect(Keccak256.hash(version.utf8) == (try Vectors.orderV4.word("versionHash")))
    }

    @Test("every member, the chain and the exchange are in the hash")
    func everyMember() {
        let order = SamplesV4.limit
        let changes: [(inout LimitOrderV4) -> Void] = [
            { $0.makerToken = .zero }, { $0.takerToken = .zero }, { $0.makerAmount += 1 },
            { $0.takerAmount += 1 }, { $0.takerTokenFeeAmount += 1 }, { $0.maker = .zero },
            { $0.taker = .zero }, { $0.sender = .zero }, { $0.feeRecipient = .zero },
            { $0.pool = .zero }, { $0.expiry += 1 }, { $0.salt += 1 },
        ]
        var hashes: Set<OrderHash> = [order.hash(in: SamplesV4.domain)]
        for change in changes {
            var other = order
            change(&other)
            hashes.insert(other.hash(in: SamplesV4.domain))
        }
        let exchange = SamplesV4.domain.exchange
        hashes.insert(order.hash(in: ExchangeDomainV4(chainID: 1, exchange: exchange)))
        hashes.insert(order.hash(in: ExchangeDomainV4(chainID: 1337, exchange: .zero)))
        #expect(hashes.count == changes.count + 3)
    }

    @Test("words wider than their member's type are refused, and another number of them")
    func words() throws {
        #expect(LimitOrderV4(words: SamplesV4.limit.words) == SamplesV4.limit)
        #expect(RfqOrderV4(words: SamplesV4.rfq.words) == SamplesV4.rfq)
        #expect(LimitOrderV4(words: SamplesV4.rfq.words) == nil)
        #expect(RfqOrderV4(words: SamplesV4.limit.words) == nil)
        // Only the pool and the salt are as wide as a word.
        for (index, _) in SamplesV4.limit.words.enumerated() {
            var words = SamplesV4.limit.words
            words[index] = UInt256.max.word
            #expect((LimitOrderV4(words: words) != nil) == [9, 11].contains(index))
        }
        for (index, _) in SamplesV4.rfq.words.enumerated() {
            var words = SamplesV4.rfq.words
            words[index] = UInt256.max.word
            #expect((RfqOrderV4(words: words) != nil) == [7, 9].contains(index))
        }
        for index in [2, 3, 4] {
            var words = SamplesV4.limit.words
            words[index] = (UInt256(1) << 128).word
            #expect(LimitOrderV4(words: words) == nil)
            words[index] = ((UInt256(1) << 128) - 1).word
            #expect(LimitOrderV4(words: words)?.words == words)
        }
    }

    @Test("a signed order is what every version's orders are")
    func signedOrder() {
        let terms = SamplesV4.limit
        let order = SignedOrderV4(
            terms: terms,
            domain: SamplesV4.domain,
            signature: SamplesV4.signature
        )
        let any: any SignedOrder = order
        #expect(any.hash == terms.hash(in: SamplesV4.domain))
        #expect(any.exchange == SamplesV4.domain.exchange)
        #expect([any.maker, any.taker] == [terms.maker, terms.taker])
        #expect([any.makerToken, any.takerToken] == [terms.makerToken, terms.takerToken])
        #expect([any.makerAmount, any.takerAmount] == [1_000, 3_000])
        #expect(any.feeRecipient == terms.feeRecipient)
        #expect([any.makerFee, any.takerFee] == [0, 30])
        #expect([any.expiry, any.salt] == [1_750_003_600, 7])
        // The contract takes the fee whoever gets it.
        var nobody = terms
        nobody.feeRecipient = .zero
        let other = SignedOrderV4(
            terms: nobody,
            domain: SamplesV4.domain,
            signature: SamplesV4.signature
        )
        #expect(other.takerFee == 30)
        #expect(other != order)
        var signature = SamplesV4.signature
        signature.v = 28
        let twin = SignedOrderV4(terms: terms, domain: SamplesV4.domain, signature: signature)
        #expect(twin == order, "an order is known by its hash, not by its signature")
        #expect(Set([order, twin, other]).count == 2)
        #expect(ExchangeDomainV4(chainID: 1337, exchange: SampleOrder.exchange) == SamplesV4.domain)
        #expect(ExchangeDomainV4(chainID: 1, exchange: SampleOrder.exchange) != SamplesV4.domain)
    }
}
