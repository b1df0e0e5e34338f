import Ethereum
import StrictJSON
import Testing

@Suite("The ABI of a contract in JSON")
struct ContractABITests {
    private static let text = #"""
        [
          {"type":"constructor","inputs":[{"name":"supply","type":"uint256"}]},
          {"type":"function","name":"transfer","stateMutability":"nonpayable",
           "inputs":[{"name":"to","type":"address"},{"name":"value","type":"uint256"}],
           "outputs":[{"name":"","type":"bool"}]},
          {"type":"function","name":"swap","inputs":[{"name":"legs","type":"tuple[2][]",
           "internalType":"struct Leg[2][]","components":[{"name":"token","type":"address"},
           {"name":"inner","type":"tuple","components":[{"name":"n","type":"int8"}]}]}],
           "outputs":[{"name":"got","type":"uint256"},{"name":"not a name","type":"bytes32[3]"}]},
          {"type":"function","name":"f","inputs":[],"outputs":[]},
          {"type":"function","name":"f","inputs":[{"type":"uint256","name":"x"}]},
          {"type":"function","name":"f","inputs":[{"type":"uint256","name":"y"}]},
          {"type":"function","name":"callback","inputs":[{"type":"function","name":"x"}]},
          {"name":"old","inputs":[],"outputs":[{"type":"string","name":""}]},
          {"type":"event","name":"Transfer","inputs":[]},
          {"type":"error","name":"TooLittle",
           "inputs":[{"name":"has","type":"uint256"},{"name":"","type":"address"}]},
          {"type":"fallback"},{"type":"receive"}
        ]
        """#

    private func abi(_ text: String = text) throws -> ContractABI {
        try ContractABI(try JSONParser.parse(text: text))
    }

    @Test("functions have canonical signatures, and the names of arguments and results")
    func functions() throws {
        let abi = try abi()
        #expect(
            abi.functions.map(\.function.signature) == [
                "transfer(address,uint256)", "swap((address,(int8))[2][])", "f()", "f(uint256)",
                "old()",
            ]
        )
        #expect(abi.functions[0].inputNames == ["to", "value"])
        #expect(abi.functions[0].function.outputs == [.bool])
        #expect(abi.functions[0].outputNames == [nil])
        #expect(abi.functions[1].outputNames == ["got", nil])
        #expect(abi.functions[1].function.outputs == [.uint(256), .fixedArray(.fixedBytes(32), 3)])
        #expect(abi.functions[4].function.outputs == [.string])
        #expect(Hex.encode(abi.functions[0].function.selector) == "0xa9059cbb")
    }

    @Test("an artifact has the ABI as a member")
    func artifact() throws {
        let abi = try abi(#"{"contractName":"X","abi":\#(Self.text),"bytecode":"0x"}"#)
        #expect(abi.functions.count == 5 && abi.errors.count == 1)
    }

    @Test("an error is found by its selector, with its arguments")
    func errors() throws {
        let abi = try abi()
        let error = try ABIFunction("TooLittle(uint256,address)")
        let data = try error.encode([.uint(5), .address(.zero)])
        let found = try #require(abi.error(in: data))
        #expect(found.error.function.name == "TooLittle")
        #expect(found.arguments == [.uint(5), .address(.zero)])
        #expect(found.error.inputNames == ["has", nil])
        for wrong in [[], [1, 2, 3], Array(data.prefix(4)), Array(data.dropLast()), [0] + data] {
            #expect(abi.error(in: wrong) == nil)
        }
    }

    @Test(
        "what is no ABI is refused",
        arguments: [
            "{}", "null", "7", "\"abi\"", #"{"abi":{}}"#, #"{"abi":null}"#, "[1]", #"["function"]"#,
        ]
    )
    func malformed(text: String) {
        let error = #expect(throws: ABIError.self) { try abi(text) }
        #expect(error?.description.hasPrefix("This is not the ABI of a contract:") == true)
    }

    @Test(
        "odd entries are left out, and nothing traps",
        arguments: [
            #"[{"type":"function"}]"#, #"[{"type":"function","name":7}]"#,
            #"[{"type":"function","name":"a b","inputs":[]}]"#,
            #"[{"type":"function","name":"9a","inputs":[]}]"#,
            #"[{"type":"function","name":"a\u001b[31m","inputs":[]}]"#,
            #"[{"type":"function","name":"a","inputs":{}}]"#,
            #"[{"type":"function","name":"a","inputs":[7]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"tuple"}]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"tuple","components":[]}]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"uint7"}]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"uint256)(bool"}]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"uint256[999999999999]"}]}]"#,
            #"[{"type":"function","name":"a","inputs":[{"type":"tuple)","components":[{"type":"bool"}]}]}]"#,
            #"[{"type":7,"name":"a","inputs":[]}]"#,
        ]
    )
    func odd(text: String) throws {
        #expect(try abi(text).functions.isEmpty)
    }

    @Test("too many entries and too deep tuples are bounded")
    func bounds() throws {
        let many =
            "["
            + Array(repeating: #"{"type":"event"}"#, count: 10_001)
            .joined(separator: ",") + "]"
        let error = #expect(throws: ABIError.self) { try abi(many) }
        #expect(error?.description.contains("more than 10000 entries") == true)
        var inputs = #"{"type":"uint256"}"#
        for _ in 0..<20 { inputs = #"{"type":"tuple","components":[\#(inputs)]}"# }
        let text = #"[{"type":"function","name":"a","inputs":[\#(inputs)]}]"#
        #expect(try abi(text).functions.count == 1)
        for _ in 0..<15 { inputs = #"{"type":"tuple","components":[\#(inputs)]}"# }
        let deep = try JSONParser.parse(
            text: #"[{"type":"function","name":"a","inputs":[\#(inputs)]}]"#,
            maximumDepth: 200
        )
        #expect(try ContractABI(deep).functions.isEmpty)
    }
}
