import Ethereum
import StrictJSON
import Testing

@Suite("EIP-712 typed data: what is refused")
struct TypedDataRefusalTests {
    /// The sentence with which a text is refused; empty where it is not.
    private func refusal(_ text: String) throws -> String {
        let json = try JSONParser.parse(text: text)
        do throws(TypedDataError) {
            _ = try TypedData(json: json)
            return ""
        } catch {
            return error.description
        }
    }

    private func refusal(types: [(String, [(name: String, type: String)])]) -> TypedDataError? {
        do throws(TypedDataError) {
            var structures: [TypedDataStruct] = []
            for (name, members) in types {
                structures.append(try TypedDataStruct(name, members))
            }
            _ = try TypedDataTypes(structures)
            return nil
        } catch {
            return error
        }
    }

    @Test("a member that is missing, null or too many is named with its place")
    func members() throws {
        let changes: [(String, String, String)] = [
            (
                #""name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB""#,
                #""name":"Bob""#, "The typed data has no message.to.wallet."
            ),
            (
                #""name":"Bob""#, #""name":"Bob","age":3"#,
                "The typed data has a member that its type does not have: message.to.age."
            ),
            (
                #""contents":"Hello, Bob!""#, #""contents":null"#,
                "The typed data's message.contents is not valid: a string is expected."
            ),
            (
                #""contents":"Hello, Bob!""#, #""contents":7"#,
                "The typed data's message.contents is not valid: a string is expected."
            ),
            (
                #""from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"}"#,
                #""from":"Cow""#,
                "The typed data's message.from is not valid: an object is expected."
            ),
            (
                "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826",
                "0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826",
                "The typed data's message.from.wallet is not valid: "
                    + "\"0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826\" is no address."
            ),
            (#","version":"1""#, "", "The typed data has no domain.version."),
            (
                #""version":"1""#, #""version":"1","salt":"0x""#,
                "The typed data has a member that its type does not have: domain.salt."
            ),
            (
                #""chainId":1"#, #""chainId":1.0"#,
                "The typed data's domain.chainId is not valid: \"1.0\" is no uint256."
            ),
            (#""primaryType":"Mail","#, "", "The typed data has no primaryType."),
            (
                #""primaryType":"Mail""#, #""primaryType":"Mail","extra":1"#,
                "The typed data has a member that its type does not have: extra."
            ),
            (
                #""primaryType":"Mail""#, #""primaryType":"Letter""#,
                "The struct Letter is not among the types."
            ),
            (
                #""primaryType":"Mail""#, #""primaryType":"EIP712Domain""#,
                "The struct EIP712Domain is not among the types."
            ),
            (
                #""primaryType":"Mail""#, #""primaryType":1"#,
                "The typed data's primaryType is not valid: a text is expected."
            ),
            (
                #"{"name":"contents","type":"string"}"#, #"{"name":"contents"}"#,
                "The typed data has no types.Mail[2].type."
            ),
            (
                #"{"name":"contents","type":"string"}"#,
                #"{"name":"contents","type":"string","indexed":true}"#,
                "The typed data has a member that its type does not have: types.Mail[2].indexed."
            ),
            (
                #"{"name":"contents","type":"string"}"#, #"{"name":"contents","type":7}"#,
                "The typed data's types.Mail[2] is not valid: name and type must be texts."
            ),
        ]
        #expect(try refusal(Samples.mail) == "")
        for (old, new, sentence) in changes {
            let text = Samples.mail.replacing(old, with: new)
            try #require(text != Samples.mail)
            #expect(try refusal(text) == sentence)
        }
        #expect(
            try refusal("[]") == "The typed data is not valid: an object is expected."
        )
    }

    @Test("a domain's struct that others would hash in another way is refused")
    func domainTypes() throws {
        let sentence =
            "The types must have EIP712Domain with any of string name, string version, uint256 "
            + "chainId, address verifyingContract and bytes32 salt, in this order."
        let name = #"{"name":"name","type":"string"},"#
        let version = #"{"name":"version","type":"string"},"#
        let mail = Samples.mail.replacing("\n", with: "")
        for changed in [
            mail.replacing(name + version, with: version + name),
            mail.replacing(#""chainId","type":"uint256""#, with: #""chainId","type":"uint64""#),
            mail.replacing(#""chainId","type""#, with: #""chain","type""#),
            mail.replacing(#""EIP712Domain""#, with: #""Domain""#),
        ] {
            try #require(changed != mail)
            #expect(try refusal(changed) == sentence)
        }
    }

    @Test("a fixed array of another length is refused, however long it claims to be")
    func arrays() throws {
        let everything = Samples.everything
        #expect(
            try refusal(everything.replacing(#"{"n":[]},"#, with: ""))
                == "The typed data's message.j[0] has 1 elements instead of 2."
        )
        #expect(
            try refusal(everything.replacing("Inner[2][]", with: "Inner[999999999][]"))
                == "The typed data's message.j[0] has 2 elements instead of 999999999."
        )
        #expect(
            try refusal(everything.replacing("[1,\"2\"]", with: "[1,256]"))
                == "The typed data's message.j[0][1].n[1] is not valid: \"256\" is no uint8."
        )
        #expect(
            try refusal(everything.replacing("[1,\"2\"]", with: "7"))
                == "The typed data's message.j[0][1].n is not valid: an array is expected."
        )
    }

    @Test("numbers out of range, fractions, exponents and other kinds are refused")
    func values() throws {
        let bad: [(String, [String])] = [
            ("\"a\":255", ["256", "-1", "1e2", "1.0", "\"\"", "\"0x\"", "true", "null", "[]"]),
            ("\"c\":\"0x10\"", ["\"0x10000000000000000\"", "18446744073709551616", "\" 1\""]),
            ("\"d\":-128", ["-129", "128", "\"--1\"", "\"-\"", "\"0x80\""]),
            ("\"f\":true", ["1", "\"true\"", "0", "null"]),
            ("\"g\":\"0xabcd\"", ["\"0xab\"", "\"0xabcdef\"", "\"abcd\"", "\"0xzzzz\"", "43981"]),
            ("\"h\":\"0x\"", ["\"\"", "\"0x0\"", "\"text\"", "0"]),
        ]
        for (old, values) in bad {
            for value in values {
                let key = old.prefix { $0 != ":" }
                let text = Samples.everything.replacing(old, with: "\(key):\(value)")
                try #require(text != Samples.everything)
                #expect(
                    try refusal(text).hasPrefix(
                        "The typed data's message.\(key.dropFirst().dropLast())"
                    ),
                    "\(key) \(value)"
                )
            }
        }
    }

    @Test("names of types that EIP-712 does not have are refused")
    func typeNames() {
        for name in [
            "uint", "int", "uint7", "uint264", "uint0", "uint08", "int512", "bytes0", "bytes33",
            "bytes032", "byte[", "uint8[", "uint8]", "uint8[]]", "uint8[0]", "uint8[01]",
            "uint8[-1]", "uint8[1000000000]", "uint8[18446744073709551616]", "uint8[ ]", " uint8",
            "uint8 ", "", "[]", "()", "(uint8)", "1A", "A-B", "Ä", "A,B b", "function", "mapping",
            "EIP712Domain", "fixed", "ufixed", "uint8[][", "uint8\u{0}",
        ] {
            #expect(throws: TypedDataError.malformedType(name), "\(name)") {
                try TypedDataType(name)
            }
        }
        let deep = "uint8" + String(repeating: "[]", count: 10_000)
        #expect(throws: TypedDataError.malformedType(deep)) { try TypedDataType(deep) }
        #expect(
            TypedDataError.malformedType("uint").description
                == "\"uint\" is not a type of EIP-712: uint256, bytes32, address, string or the "
                + "name of a struct is expected, with [] or [3] behind it for arrays."
        )
        for name in ["uint8", "A[2][]", "bytes32[999999999]", "uint_", "uint8x", "bytesA", "$"] {
            #expect((try? TypedDataType(name))?.name == name)
        }
    }

    @Test("names of structs and members are identifiers that stand for nothing else")
    func names() {
        for name in ["", "1a", "a b", "a,b", "a(b)", "uint256 x", "é", "bool", "uint9", "string"] {
            #expect(throws: TypedDataError.malformedName(name), "\(name)") {
                try TypedDataStruct(name, [])
            }
        }
        for name in ["", "1a", "a b", "b,uint256 c", "a)", "é"] {
            #expect(throws: TypedDataError.malformedName(name), "\(name)") {
                try TypedDataStruct("S", [(name, "bool")])
            }
        }
        #expect(
            TypedDataError.malformedName("a b").description
                == "\"a b\" cannot name a struct or a member: letters, digits, _ and $ are "
                + "expected, no digit in front, and for a struct no name of a type of Solidity."
        )
        let twice = refusal(types: [("S", [("a", "bool"), ("a", "uint8")])])
        #expect(twice == .repeatedMember("a", structure: "S"))
        #expect(twice?.description == "The struct S has two members a.")
        let both = refusal(types: [("S", []), ("S", [("a", "bool")])])
        #expect(both == .repeatedStruct("S"))
        #expect(both?.description == "There are two structs S.")
    }

    @Test("structs that are unknown or within themselves, by whatever way, are refused")
    func recursion() {
        let unknown = refusal(types: [("S", [("t", "T[]")])])
        #expect(unknown == .unknownStruct("T"))
        #expect(refusal(types: [("S", [("s", "S")])]) == .recursiveStruct("S"))
        #expect(refusal(types: [("S", [("s", "S[]")])]) == .recursiveStruct("S"))
        let circle: [(String, [(name: String, type: String)])] = [
            ("A", [("b", "B")]), ("B", [("c", "C[3]")]), ("C", [("a", "A")]),
        ]
        let error = refusal(types: circle)
        #expect(error == .recursiveStruct("A"))
        #expect(
            error?.description
                == "The struct A is within itself, which EIP-712 leaves undefined."
        )
        // The same struct at two places is none.
        let twice: [(String, [(name: String, type: String)])] = [
            ("A", [("x", "B"), ("y", "C")]), ("B", [("c", "C")]), ("C", [("n", "uint8")]),
        ]
        #expect(refusal(types: twice) == nil)
    }

    @Test("structs and arrays deeper than 32 are refused, and as many as 10,000 of them")
    func depth() throws {
        func chain(_ count: Int, last: String = "uint8") -> [(
            String, [(name: String, type: String)]
        )] {
            (0..<count).map { index in
                ("S\(index)", [("m", index + 1 == count ? last : "S\(index + 1)")])
            }
        }
        #expect(refusal(types: chain(32)) == nil)
        #expect(refusal(types: chain(33)) == .tooDeep)
        #expect(refusal(types: chain(30, last: "uint8[][]")) == nil)
        #expect(refusal(types: chain(30, last: "uint8[][][]")) == .tooDeep)
        #expect(refusal(types: Array(chain(33).reversed())) == .tooDeep)
        #expect(
            TypedDataError.tooDeep.description == "The types are nested more than 32 deep."
        )
        #expect(refusal(types: chain(65)) == .tooManyTypes)
        #expect(refusal(types: chain(10_000)) == .tooManyTypes)
        let many = (0..<129).map { (name: "m\($0)", type: "bool") }
        #expect(refusal(types: [("S", many)]) == .tooManyTypes)
        #expect(refusal(types: [("S", Array(many.prefix(128)))]) == nil)
        let long = String(repeating: "x", count: 16_384)
        #expect(refusal(types: [("S", [(long, "bool")])]) == .tooManyTypes)
        #expect(
            TypedDataError.tooManyTypes.description
                == "There are more than 64 structs, one has more than 128 members, or all are "
                + "longer than 16384 bytes."
        )
        // A value that is deeper than its type ends at its type.
        let nested = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let text = Samples.everything.replacing(#"[[{"n":[]},{"n":[1,"2"]}]]"#, with: nested)
        #expect(
            try refusal(text) == "The typed data's message.j[0] has 1 elements instead of 2."
        )
    }

    @Test("values that do not fit their struct are refused where no JSON is involved")
    func mismatches() throws {
        let types = try TypedDataTypes([
            TypedDataStruct("S", [("t", "T[1]"), ("n", "uint8"), ("b", "bytes4")]),
            TypedDataStruct("T", [("s", "string")]),
        ])
        let text = ABIValue.array([.tuple([.string("")])])
        let good = ABIValue.tuple([text, .uint(1), .fixedBytes([1, 2, 3, 4])])
        _ = try types.hash(good, of: "S")
        let bad: [(ABIValue, String)] = [
            (.uint(1), ""), (.tuple([]), ""), (.array([text, .uint(1)]), ""),
            (.tuple([text, .uint(256), .fixedBytes([1, 2, 3, 4])]), "n"),
            (.tuple([text, .int(1), .fixedBytes([1, 2, 3, 4])]), "n"),
            (.tuple([text, .uint(1), .fixedBytes([1, 2, 3])]), "b"),
            (.tuple([text, .uint(1), .bytes([1, 2, 3, 4])]), "b"),
            (.tuple([.array([]), .uint(1), .fixedBytes([1, 2, 3, 4])]), "t"),
            (.tuple([.tuple([.string("")]), .uint(1), .fixedBytes([1, 2, 3, 4])]), "t"),
            (.tuple([.array([.string("")]), .uint(1), .fixedBytes([1, 2, 3, 4])]), "t[0]"),
            (.tuple([.array([.tuple([.bytes([])])]), .uint(1), .fixedBytes([])]), "t[0].s"),
        ]
        for (value, place) in bad {
            let error = #expect(throws: TypedDataError.self) { try types.hash(value, of: "S") }
            guard case .value(let path, _) = error else {
                Issue.record("\(value) gave \(String(describing: error))")
                continue
            }
            #expect(path == place)
        }
        #expect(throws: TypedDataError.unknownStruct("U")) { try types.hash(good, of: "U") }
        #expect(throws: TypedDataError.unknownStruct("U")) {
            try TypedData(types: types, primaryType: "U", domain: .init(), message: good)
        }
    }
}
