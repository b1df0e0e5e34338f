import EthereumWallet
import StrictJSON
import Testing

@testable import Ethereum

@Suite("EIP-712 typed data")
struct TypedDataTests {
    @Test("the example of EIP-712 has its type, its hashes and its signature")
    func example() throws {
        let data = try TypedData(json: try JSONParser.parse(text: Samples.mail))
        let types = data.types
        #expect(
            types.encodedType(of: "Mail")
                == "Mail(Person from,Person to,string contents)Person(string name,address wallet)"
        )
        #expect(
            types.typeHash(of: "Mail")?.hex
                == "0xa0cedeb2dc280ba39b857546d74f5549c3a1d7bdc2dd96bf881f76108e23dac2"
        )
        #expect(
            try types.hash(data.message, of: "Mail").hex
                == "0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e"
        )
        #expect(
            data.domain.separator.hex
                == "0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"
        )
        #expect(
            data.digest.hex
                == "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
        )
        let cow = try PrivateKeySigner(key: Keccak256.hash("cow".utf8))
        #expect(cow.address.checksummed == "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")
        let signature = try cow.signature(over: data.digest)
        #expect(signature.v == 28)
        #expect(
            signature.r.hex == "0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"
        )
        #expect(
            signature.s.hex == "0x07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562"
        )
    }

    @Test("the same without JSON: types by name and values in their order")
    func exampleFromValues() throws {
        let types = try TypedDataTypes([
            TypedDataStruct(
                "Mail",
                [("from", "Person"), ("to", "Person"), ("contents", "string")]
            ),
            TypedDataStruct("Person", [("name", "string"), ("wallet", "address")]),
        ])
        let cow = try Address("0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")
        let bob = try Address("0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB")
        let data = try TypedData(
            types: types,
            primaryType: "Mail",
            domain: TypedDataDomain(
                name: "Ether Mail",
                version: "1",
                chainID: 1,
                verifyingContract: Address("0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC")
            ),
            message: .tuple([
                .tuple([.string("Cow"), .address(cow)]), .tuple([.string("Bob"), .address(bob)]),
                .string("Hello, Bob!"),
            ])
        )
        #expect(data == (try TypedData(json: JSONParser.parse(text: Samples.mail))))
        #expect(types["Person"]?.encodedType == "Person(string name,address wallet)")
        #expect(types["Nobody"] == nil)
        #expect(types.encodedType(of: "Nobody") == nil)
        #expect(types.typeHash(of: "Nobody") == nil)
    }

    @Test("structs that are referred to follow the first sorted by name, each once")
    func dependencies() throws {
        let types = try TypedDataTypes([
            TypedDataStruct("Transaction", [("from", "Person"), ("tx", "Asset"), ("b", "Z[2][]")]),
            TypedDataStruct("Person", [("wallet", "address"), ("name", "string")]),
            TypedDataStruct("Z", [("owner", "Person")]),
            TypedDataStruct("a", []),
            TypedDataStruct("Asset", [("token", "address"), ("amount", "uint256"), ("x", "a")]),
        ])
        #expect(
            types.encodedType(of: "Transaction")
                == "Transaction(Person from,Asset tx,Z[2][] b)"
                + "Asset(address token,uint256 amount,a x)Person(address wallet,string name)"
                + "Z(Person owner)a()"
        )
        #expect(types.encodedType(of: "a") == "a()")
    }

    @Test("every kind of atomic value is hashed as one word")
    func atomicValues() throws {
        let name = "S"
        let bytes32 = Bytes32(limbs: (1, 2, 3, 4))
        let address = Address(truncating: bytes32)
        let minusOne = UInt256.max
        let cases: [(String, ABIValue, Bytes32)] = [
            ("uint8", .uint(255), UInt256(255).word),
            ("uint256", .uint(.max), UInt256.max.word),
            ("int8", .int(minusOne), UInt256.max.word),
            ("int256", .int(minusOne), UInt256.max.word),
            ("bool", .bool(true), UInt256(1).word),
            ("bool", .bool(false), .zero),
            ("address", .address(address), address.word),
            ("bytes1", .fixedBytes([0xAB]), (UInt256(0xAB) &<< 248).word),
            ("bytes32", .word(bytes32), bytes32),
            ("bytes", .bytes([1, 2, 3]), Keccak256.hash([1, 2, 3] as [UInt8])),
            ("bytes", .bytes([]), Keccak256.hash([] as [UInt8])),
            ("string", .string("é"), Keccak256.hash("é".utf8)),
            (
                "uint8[]", .array([.uint(1), .uint(2)]),
                Keccak256.hash(UInt256(1).bigEndianBytes + UInt256(2).bigEndianBytes)
            ),
            (
                "uint8[2]", .array([.uint(0), .uint(0)]),
                Keccak256.hash([UInt8](repeating: 0, count: 64))
            ),
            ("string[]", .array([]), Keccak256.hash([] as [UInt8])),
            (
                "bytes[][1]", .array([.array([.bytes([7])])]),
                Keccak256.hash(Keccak256.hash(Keccak256.hash([7] as [UInt8]).bytes).bytes)
            ),
        ]
        for (type, value, word) in cases {
            let types = try TypedDataTypes([TypedDataStruct(name, [("m", type)])])
            let typeHash = Keccak256.hash("S(\(type) m)".utf8)
            #expect(types.typeHash(of: name) == typeHash)
            #expect(
                try types.hash(.tuple([value]), of: name)
                    == Keccak256.hash(typeHash.bytes + word.bytes),
                "\(type)"
            )
        }
    }

    @Test("a domain has any subset of its members, in the standard's order")
    func domains() throws {
        let all = TypedDataDomain(
            name: "N",
            version: "2",
            chainID: 137,
            verifyingContract: Address(truncating: UInt256(9).word),
            salt: UInt256(10).word
        )
        #expect(
            all.encodedType
                == "EIP712Domain(string name,string version,uint256 chainId,"
                + "address verifyingContract,bytes32 salt)"
        )
        var separators: Set<Bytes32> = []
        for subset in 0..<32 {
            let domain = TypedDataDomain(
                name: subset & 1 == 0 ? nil : all.name,
                version: subset & 2 == 0 ? nil : all.version,
                chainID: subset & 4 == 0 ? nil : all.chainID,
                verifyingContract: subset & 8 == 0 ? nil : all.verifyingContract,
                salt: subset & 16 == 0 ? nil : all.salt
            )
            // The domain is hashed as any other struct is.
            let members = domain.members.map { (name: $0.name, type: $0.type) }
            let other = try TypedDataTypes([TypedDataStruct("D", members)])
            let values = ABIValue.tuple(domain.members.map(\.value))
            let renamed = Keccak256.hash(
                Keccak256.hash(domain.encodedType.utf8).bytes
                    + domain.members.flatMap { $0.word.bytes }
            )
            #expect(domain.separator == renamed)
            #expect(
                try other.hash(values, of: "D")
                    == Keccak256.hash(
                        Keccak256.hash(
                            ("D" + domain.encodedType.dropFirst("EIP712Domain".count)).utf8
                        ).bytes + domain.members.flatMap { $0.word.bytes }
                    )
            )
            separators.insert(domain.separator)
            let data = try TypedData(
                types: TypedDataTypes([TypedDataStruct("E", [])]),
                primaryType: "E",
                domain: domain,
                message: .tuple([])
            )
            #expect(try TypedData(json: data.json) == data)
        }
        #expect(separators.count == 32)
    }

    @Test("typed data written as JSON is read as the same")
    func roundTrip() throws {
        for text in [Samples.mail, Samples.everything] {
            let data = try TypedData(json: try JSONParser.parse(text: text))
            #expect(try TypedData(json: data.json) == data)
            #expect(try TypedData(json: JSONParser.parse(data.json.utf8)) == data)
        }
    }

    @Test("numbers are JSON integers or texts, decimal or hexadecimal, signed where they may be")
    func numbers() throws {
        let data = try TypedData(json: JSONParser.parse(text: Samples.everything))
        #expect(
            data.message
                == .tuple([
                    .uint(255), .uint(.max), .uint(0x10), .int(.zero &- 128), .int(.zero &- 1),
                    .bool(true), .fixedBytes([0xAB, 0xCD]), .bytes([]), .string("0x12"),
                    .array([
                        .array([.tuple([.array([])]), .tuple([.array([.uint(1), .uint(2)])])])
                    ]),
                ])
        )
        #expect(data.domain == TypedDataDomain(chainID: 5, salt: UInt256(1).word))
    }
}

/// Typed data as wallets are asked to sign it.
enum Samples {
    /// The example of the EIP.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-712, "Specification of the eth_signTypedData
    /// JSON RPC"
    static let mail = """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"},
        {"name":"version","type":"string"},{"name":"chainId","type":"uint256"},
        {"name":"verifyingContract","type":"address"}],
        "Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],
        "Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},
        {"name":"contents","type":"string"}]},
        "primaryType":"Mail",
        "domain":{"name":"Ether Mail","version":"1","chainId":1,
        "verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
        "message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
        "to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},
        "contents":"Hello, Bob!"}}
        """

    static let everything = """
        {"message":{"a":255,
        "b":"115792089237316195423570985008687907853269984665640564039457584007913129639935",
        "c":"0x10","d":-128,"e":"-1","f":true,"g":"0xabcd","h":"0x","i":"0x12",
        "j":[[{"n":[]},{"n":[1,"2"]}]]},
        "primaryType":"All","domain":{"salt":
        "0x0000000000000000000000000000000000000000000000000000000000000001","chainId":"5"},
        "types":{"Inner":[{"name":"n","type":"uint8[]"}],
        "EIP712Domain":[{"name":"chainId","type":"uint256"},{"name":"salt","type":"bytes32"}],
        "All":[{"name":"a","type":"uint8"},{"name":"b","type":"uint256"},
        {"name":"c","type":"uint64"},{"name":"d","type":"int8"},{"name":"e","type":"int256"},
        {"name":"f","type":"bool"},{"name":"g","type":"bytes2"},{"name":"h","type":"bytes"},
        {"type":"string","name":"i"},{"name":"j","type":"Inner[2][]"}]}}
        """
}
