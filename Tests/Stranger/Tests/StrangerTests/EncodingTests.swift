import Ethereum
import Testing

@Suite("Ethereum: values and encodings")
struct EncodingTests {
    @Test("a call is encoded, and what it returns is decoded")
    func call() throws {
        let balanceOf = try ABIFunction("balanceOf(address)(uint256)")
        let owner = try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")
        let data = try balanceOf.encode([.address(owner)])
        #expect(Hex.encode(balanceOf.selector) == "0x70a08231")
        #expect(data == ERC20.balanceOf(owner))
        #expect(try balanceOf.decodeArguments(data) == [.address(owner)])

        let amount = try DecimalText.parse("1.5", decimals: 18)
        #expect(try balanceOf.decodeReturn(amount.bigEndianBytes) == [.uint(amount)])
        #expect(throws: ABIError.self) { try balanceOf.decodeReturn([1, 2, 3]) }
    }

    @Test("a signature with tuples and names is read, and dynamic values make the round trip")
    func dynamicValues() throws {
        let signature = try ABISignature("fill((address maker, uint256 amount)[] orders, string)")
        let function = signature.function
        #expect(function.signature == "fill((address,uint256)[],string)")
        #expect(signature.inputNames == ["orders", nil])

        let arguments: [ABIValue] = [
            .array([.tuple([.address(.zero), .uint(7)])]), .string("for a friend"),
        ]
        let data = try function.encode(arguments)
        #expect(try function.decodeArguments(data) == arguments)
        for length in 4..<data.count {
            #expect(throws: ABIError.self) {
                try function.decodeArguments(Array(data.prefix(length)))
            }
        }
    }

    @Test("RLP is read only in its canonical form")
    func rlp() throws {
        let item = RLP.list([.integer(1024), .bytes(Array("cat".utf8)), .list([])])
        #expect(try RLP.decode(item.encoded) == item)
        #expect(throws: RLPError.nonCanonical) { try RLP.decode([0x81, 0x05]) }
    }

    @Test("256-bit arithmetic reports what does not fit")
    func arithmetic() throws {
        let maximum = UInt256.max
        #expect(maximum.addingReportingOverflow(1) == (0, true))
        #expect(UInt256.mulDiv(maximum, 3, 7)?.quotient == maximum / 7 * 3 + maximum % 7 * 3 / 7)
        #expect(UInt256("\(maximum)0") == nil)
        #expect(Wei(3).subtracting(Wei(4)) == nil)
    }

    @Test("hashes and addresses are those of everybody else")
    func hashes() throws {
        #expect(
            Keccak256.hash("transfer(address,uint256)".utf8).bytes.prefix(4)
                == ERC20.transfer(to: .zero, amount: 1).prefix(4)
        )
        #expect(throws: AddressError.self) {
            try Address("0xd8da6BF26964aF9D7eEd9e03E53415D37aA96045")
        }
        let word = try Bytes32(hex: "0x" + String(repeating: "ab", count: 32))
        #expect(Hash<Void>(word).hex == word.hex)
    }
}
