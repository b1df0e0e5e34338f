import Ethereum
import Testing

@Suite("Contract values as people write them")
struct ABITextTests {
    private static let vitalik = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"

    private static func type(_ name: String) throws -> ABIType {
        try #require(ABIFunction("f(\(name))").inputs.first)
    }

    private func parse(_ text: String, _ name: String) throws -> ABIValue {
        try ABIText.parse(text, as: Self.type(name))
    }

    private func failure(_ text: String, _ name: String) throws -> ABITextError? {
        do throws(ABITextError) {
            _ = try ABIText.parse(text, as: try type(name))
            return nil
        } catch {
            return error
        }

        func type(_ name: String) throws(ABITextError) -> ABIType {
            (try? Self.type(name)) ?? .bool
        }
    }

    @Test("numbers are decimal or hexadecimal, up to the last that their type holds")
    func numbers() throws {
        #expect(try parse("0", "uint8") == .uint(0))
        #expect(try parse("255", "uint8") == .uint(255))
        #expect(try parse("0xff", "uint8") == .uint(255))
        #expect(try parse("-128", "int8") == .int(.zero &- 128))
        #expect(try parse("127", "int8") == .int(127))
        #expect(try parse(UInt256.max.description, "uint256") == .uint(.max))
        #expect(
            ABIText.format(try parse("-\(UInt256(1) << 255)", "int256"))
                == "-\(UInt256(1) << 255)"
        )
    }

    @Test(
        "a number that its type does not hold is refused, never cut",
        arguments: [
            ("256", "uint8"), ("0x100", "uint8"), ("128", "int8"), ("-129", "int8"),
            ("1" + String(repeating: "0", count: 78), "uint256"),
            ("0x1" + String(repeating: "0", count: 64), "uint256"),
        ]
    )
    func tooLarge(text: String, name: String) throws {
        guard case .outOfRange = try failure(text, name) else {
            Issue.record("\(text) as \(name) is not out of range")
            return
        }
    }

    @Test(
        "what is no value of its type is refused",
        arguments: [
            ("", "uint256"), ("-1", "uint256"), ("1.5", "uint256"), ("1e18", "uint256"),
            ("1_000", "uint256"), ("0x", "uint256"), ("+1", "int8"), ("--1", "int8"),
            ("１", "uint256"), (" 1", "uint256"), ("yes", "bool"), ("1", "bool"),
            ("TRUE", "bool"), ("0x1", "bytes"), ("beef", "bytes"), ("0xzz", "bytes"),
            ("1,2", "uint256[]"), ("[1,2", "uint256[]"), ("[1,,2]", "uint256[]"),
            ("[1]]", "uint256[]"), ("[1,2]x", "uint256[]"), ("(1,2)", "uint256[]"),
            ("[1,2]", "(uint256,uint256)"), ("(1,2,3)", "(uint256,uint256)"),
            (#"["a]"#, "string[]"), (#"["a\"]"#, "string[]"), (#"["\n"]"#, "string[]"),
            (#"["a"b]"#, "string[]"),
        ]
    )
    func malformed(text: String, name: String) throws {
        let error = try #require(try failure(text, name), "\(text) is taken for \(name)")
        #expect(!error.description.isEmpty)
        #expect(error.description.hasSuffix("."))
    }

    @Test("addresses need a right checksum where letters are of both cases")
    func addresses() throws {
        let value = try parse(Self.vitalik, "address")
        #expect(ABIText.format(value) == Self.vitalik)
        #expect(try parse(Self.vitalik.lowercased(), "address") == value)
        let broken = Self.vitalik.replacing("d8dA", with: "D8dA")
        guard case .address(.wrongChecksum) = try failure(broken, "address") else {
            Issue.record("a wrong checksum is taken")
            return
        }
        #expect(try failure("0x12", "address") != nil)
    }

    @Test("bytes of a fixed number have exactly that many")
    func fixedBytes() throws {
        #expect(try parse("0xbeef", "bytes2") == .fixedBytes([0xBE, 0xEF]))
        #expect(try failure("0xbe", "bytes2") == .wrongLength("0xbe", .fixedBytes(2), 1))
        #expect(
            try failure("0xbe", "bytes2")?.description
                == "0xbe has 1 byte, and bytes2 has exactly 2."
        )
        #expect(try parse("0x", "bytes") == .bytes([]))
    }

    @Test("arrays and tuples stand in brackets, with spaces or without, within each other")
    func nested() throws {
        #expect(try parse("[]", "uint8[]") == .array([]))
        #expect(try parse(" [ 1 , 2 ] ", "uint8[]") == .array([.uint(1), .uint(2)]))
        #expect(try failure("[1]", "uint8[2]") == .wrongCount(.fixedArray(.uint(8), 2), 1))
        #expect(
            try parse("[(1,[true,false]),(2,[])]", "(uint8,bool[])[]")
                == .array([
                    .tuple([.uint(1), .array([.bool(true), .bool(false)])]),
                    .tuple([.uint(2), .array([])]),
                ])
        )
    }

    @Test("a text is taken as it is, and in quotes within brackets")
    func strings() throws {
        #expect(try parse(#"a "quoted", [text]"#, "string") == .string(#"a "quoted", [text]"#))
        #expect(try parse("", "string") == .string(""))
        #expect(
            try parse(#"[plain, "with, comma", "a \" and \\", ""]"#, "string[]")
                == .array([
                    .string("plain"), .string("with, comma"), .string(#"a " and \"#), .string(""),
                ])
        )
    }

    @Test(
        "what is written is read again as the same value",
        arguments: [
            ("int16", "-32768"), ("bool", "true"), ("bytes3", "0x010203"), ("bytes", "0x"),
            ("(string,uint8[2])[]", #"[("a,b",[1,2]),("\"\\",[0,255])]"#),
            ("string[]", #"["泰达","e\#u{301}"]"#),
        ]
    )
    func roundTrip(name: String, text: String) throws {
        let value = try parse(text, name)
        #expect(try parse(ABIText.format(value), name) == value)
        #expect(ABIText.format(value) == text)
    }

    @Test("no text of brackets and commas traps or is read without end")
    func hostile() throws {
        let types = ["uint8[][][]", "(uint8,(string,bytes)[])[]", "string[]", "(bool)"]
        var state: UInt64 = 7
        for _ in 0..<4_000 {
            var text = ""
            for _ in 0..<Int(state % 24) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let characters = Array("[](),\"\\ 0x1tfa")
                text.append(characters[Int(state >> 33) % characters.count])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for name in types {
                guard let value = try? parse(text, name) else { continue }
                #expect(try parse(ABIText.format(value), name) == value, "\(text)")
            }
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(try failure(deep, "uint8[][][]") != nil)
    }
}

@Suite("Function signatures as people write them")
struct ABISignatureTests {
    @Test(
        "tools' and Solidity's ways to write one function are the same function",
        arguments: [
            "balanceOf(address)(uint256)", " balanceOf ( address ) ( uint256 ) ",
            "balanceOf(address owner)(uint balance)",
            "function balanceOf(address owner) external view returns (uint256)",
            "function balanceOf(address) public view virtual override returns (uint256 balance);",
            "balanceOf(address) view returns (uint256)", "balanceOf(address)\n\t(uint256)",
        ]
    )
    func sameFunction(text: String) throws {
        #expect(try ABISignature(text).function == ABIFunction("balanceOf(address)(uint256)"))
    }

    @Test("names are kept where they are told, those within tuples are not")
    func names() throws {
        let signature = try ABISignature(
            "function fill(tuple(address maker, uint256 amount)[] calldata orders, uint256, "
                + "address payable to) payable returns (uint256 filled, bool)"
        )
        #expect(signature.function.signature == "fill((address,uint256)[],uint256,address)")
        #expect(signature.inputNames == ["orders", nil, "to"])
        #expect(signature.outputNames == ["filled", nil])
        #expect(signature.function.outputs == [.uint(256), .bool])
    }

    @Test("a function that is called function, and one without arguments, are read")
    func oddNames() throws {
        #expect(try ABISignature("function()").function.name == "function")
        #expect(try ABISignature("deposit()").function.inputs.isEmpty)
        #expect(try ABISignature("deposit()").outputNames.isEmpty)
    }

    @Test(
        "what is no function is refused",
        arguments: [
            "", "balanceOf", "balanceOf(", "balanceOf(address", "balanceOf(addres)",
            "balanceOf(address,)", "balanceOf(address a b)", "balanceOf(address) returns",
            "balanceOf(address) returns (uint256) (bool)", "balanceOf(address)(uint256)x",
            "balanceOf(address);;", "1f()", "f(uint7)", "f(uint256[0])", "f(())",
            "f(address) internal returns (bool)", "f(uint256)(uint256", "f(tuple)",
            "f(ufixed128x18)", "f(\u{0}uint8)", "fü(uint8)",
        ]
    )
    func malformed(text: String) {
        #expect(throws: ABIError.malformedSignature(text)) { try ABISignature(text) }
    }

    @Test("parentheses without end are refused before they are read to the end")
    func deep() {
        for text in [
            "f" + String(repeating: "(", count: 100_000),
            "f(uint8" + String(repeating: "[]", count: 9_000) + ")",
            "f(" + String(repeating: "uint8,", count: 50_000) + "uint8)",
        ] {
            #expect(throws: ABIError.self) { try ABISignature(text) }
        }
    }
}
