import Ethereum
import Testing

@testable import DexCore

@Suite("Call data of another program, read")
struct KnownFunctionTests {
    private static let bob = Address(truncating: UInt256(0xB0).word)

    @Test(
        "the functions of tokens are read with their arguments",
        arguments: [
            ("transfer(address,uint256)", 2), ("approve(address,uint256)", 2),
            ("increaseAllowance(address,uint256)", 2), ("decreaseAllowance(address,uint256)", 2),
            ("withdraw(uint256)", 1), ("deposit()", 0),
            ("transferFrom(address,address,uint256)", 3),
        ]
    )
    func known(function: String, count: Int) throws {
        let signature = try ABISignature(function)
        let values = signature.function.inputs.map { type -> ABIValue in
            type == .address ? .address(Self.bob) : .uint(7)
        }
        let data = try signature.function.encode(values)
        let known = try #require(KnownFunction(data))
        #expect(known.signature.function.signature == function)
        #expect(known.arguments.map(\.value) == values && values.count == count)
        #expect(known.arguments.allSatisfy { $0.name != nil })
        // A byte more or less is another call.
        #expect(KnownFunction(data + [0]) == nil)
        #expect(KnownFunction(Array(data.dropLast())) == nil)
    }

    @Test("anything else stays call data, as it is")
    func unknown() throws {
        for data: [UInt8] in [[], [1], [1, 2, 3, 4], [0xA9, 0x05, 0x9C, 0xBB]] {
            #expect(KnownFunction(data) == nil)
        }
        // A word that is no address.
        let dirty = ERC20.transfer(to: Self.bob, amount: 1).enumerated().map { $0 == 4 ? 1 : $1 }
        #expect(KnownFunction(dirty) == nil)
        let request = ContractRequest(contract: Self.bob, data: [1, 2, 3, 4, 5], value: Wei(10))
        let (call, signature) = try request.call(tokens: TokenMap())
        #expect(signature == nil && request.isUnread(signature))
        #expect(call.data == [1, 2, 3, 4, 5] && call.function == "0x01020304")
        #expect(call.address == Self.bob)
        #expect(try request.ether() == Wei(10))
    }
}
