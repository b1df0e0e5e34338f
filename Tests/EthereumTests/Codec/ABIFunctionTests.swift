import Ethereum
import Testing

@Suite("Contract functions")
struct ABIFunctionTests {
    @Test(
        "signatures have the selectors that contracts use",
        arguments: [
            ("transfer(address,uint256)(bool)", "0xa9059cbb"),
            ("balanceOf(address)(uint256)", "0x70a08231"),
            ("name()(string)", "0x06fdde03"),
            ("deposit()", "0xd0e30db0"),
            ("withdraw(uint)", "0x2e1a7d4d"),
            (
                "fillOrder(address[5],uint256[6],uint256,bool,uint8,bytes32,bytes32)(uint256)",
                "0xbc61394a"
            ),
        ]
    )
    func selectors(signature: String, selector: String) throws {
        #expect(Hex.encode(try ABIFunction(signature).selector) == selector)
    }

    @Test("the parts of a signature are its name, its inputs and its outputs")
    func parts() throws {
        let function = try ABIFunction("_f$1(uint,(int8,bytes3[2])[],bytes)(string,int)")
        #expect(function.name == "_f$1")
        #expect(
            function.inputs == [
                .uint(256), .array(.tuple([.int(8), .fixedArray(.fixedBytes(3), 2)])), .bytes,
            ]
        )
        #expect(function.outputs == [.string, .int(256)])
        #expect(function.signature == "_f$1(uint256,(int8,bytes3[2])[],bytes)")
        #expect(try ABIFunction("f()").inputs.isEmpty)
        #expect(try ABIFunction("f()()").outputs.isEmpty)
    }

    @Test(
        "what is no signature is refused",
        arguments: [
            "", "f", "f(", "f)", "()", "1f()", "f()x", "f()()()", "f(uint256", "f(uint256,)",
            "f(,uint256)", "f(uint256 )", "f( uint256)", "f (uint256)", "f(uint7)", "f(uint264)",
            "f(uint0)", "f(uint08)", "f(int-8)", "f(bytes0)", "f(bytes33)", "f(bool8)",
            "f(address1)",
            "f(float)", "f(uint256[)", "f(uint256])", "f(uint256[0])", "f(uint256[-1])",
            "f(uint256[01])", "f(uint256[x])", "f(uint256[9999999999])", "f(())", "f(()[])", "f(ü)",
            "f(uint256[999999999][999999999][999999999])", "f(Uint256)", "f\t()",
        ]
    )
    func malformed(signature: String) {
        #expect(throws: ABIError.malformedSignature(signature)) { try ABIFunction(signature) }
    }

    @Test("endless nesting is refused without using up the stack")
    func nesting() {
        let tuples = "f(" + String(repeating: "(", count: 100_000)
        #expect(throws: ABIError.malformedSignature(tuples)) { try ABIFunction(tuples) }
        let arrays = "f(uint256" + String(repeating: "[]", count: 100_000) + ")"
        #expect(throws: ABIError.malformedSignature(arrays)) { try ABIFunction(arrays) }
        let maximum = "f(uint256" + String(repeating: "[]", count: 31) + ")"
        #expect(throws: Never.self) { try ABIFunction(maximum) }
    }

    @Test("arguments are decoded only behind the function's own selector")
    func arguments() throws {
        let function = try ABIFunction("transfer(address,uint256)(bool)")
        let other = try ABIFunction("approve(address,uint256)(bool)")
        let data = try function.encode([.address(.zero), .uint(5)])
        #expect(try function.decodeArguments(data) == [.address(.zero), .uint(5)])
        #expect(throws: ABIError.wrongSelector) { try other.decodeArguments(data) }
        for count in 0..<4 {
            #expect(throws: ABIError.wrongSelector) {
                try function.decodeArguments(Array(data.prefix(count)))
            }
        }
        #expect(throws: ABIError.truncated) { try function.decodeArguments(Array(data.dropLast())) }
        #expect(throws: ABIError.trailingBytes) { try function.decodeArguments(data + [0]) }
    }

    @Test("returned values are decoded by the second parenthesis")
    func returns() throws {
        let function = try ABIFunction("getPair()(uint112,uint112,uint32)")
        #expect(
            try function.decodeReturn(words("1", "2", "3")) == [.uint(1), .uint(2), .uint(3)]
        )
        #expect(throws: ABIError.truncated) { try function.decodeReturn([]) }
    }

    @Test("the calls and topics of ERC-20 are the standard's")
    func erc20() throws {
        let owner = try Address("0x1111111111111111111111111111111111111111")
        let spender = try Address("0x2222222222222222222222222222222222222222")
        let expected: [([UInt8], String, [ABIValue])] = [
            (ERC20.balanceOf(owner), "balanceOf(address)", [.address(owner)]),
            (
                ERC20.allowance(owner: owner, spender: spender), "allowance(address,address)",
                [.address(owner), .address(spender)]
            ),
            (
                ERC20.approve(spender: spender, amount: 7), "approve(address,uint256)",
                [.address(spender), .uint(7)]
            ),
            (
                ERC20.transfer(to: owner, amount: .max), "transfer(address,uint256)",
                [.address(owner), .uint(.max)]
            ),
            (ERC20.decimals, "decimals()", []), (ERC20.symbol, "symbol()", []),
            (ERC20.name, "name()", []),
            (ERC20.call("withdraw(uint256)", UInt256(9).word), "withdraw(uint256)", [.uint(9)]),
        ]
        for (data, signature, arguments) in expected {
            #expect(try ABIFunction(signature).encode(arguments) == data)
        }
        #expect(Hex.encode(ERC20.balanceOf(owner).prefix(4)) == "0x70a08231")
        #expect(
            ERC20.transferTopic.hex
                == "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
        )
        #expect(
            ERC20.approvalTopic.hex
                == "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
        )
    }

    @Test(
        "each error is a sentence",
        arguments: [
            (
                ABIError.malformedSignature("f("),
                "\"f(\" is not a function signature: a name and types without spaces are expected, "
                    + "such as transfer(address,uint256)(bool)."
            ),
            (
                .mismatch("the number 256 is no uint8"),
                "The values do not fit the contract's types: the number 256 is no uint8."
            ),
            (.truncated, "The contract data ends too early."),
            (
                .badOffset,
                "An offset in the contract data does not lead to where its value must be."
            ),
            (.badLength, "A length in the contract data is more than the data holds."),
            (.badPadding, "A value in the contract data is wider than its type."),
            (.badBoolean, "A boolean in the contract data is neither 0 nor 1."),
            (.badUTF8, "A string in the contract data is not UTF-8."),
            (.trailingBytes, "There are bytes behind the end of the contract data."),
            (.wrongSelector, "The call data is of another function."),
            (.tooDeep, "The contract's types are nested more than 32 deep."),
        ]
    )
    func sentences(error: ABIError, sentence: String) {
        #expect("\(error)" == sentence)
    }

    @Test("a mismatch names the value and the type")
    func mismatchSentence() {
        #expect(throws: ABIError.mismatch("the number 256 is no uint8")) {
            try ABI.encode([.uint(256)], as: [.uint(8)])
        }
        #expect(throws: ABIError.mismatch("uint7 is not a type of the contract ABI")) {
            try ABI.encode([.uint(1)], as: [.uint(7)])
        }
    }
}
