import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v1 calls")
struct CallDataV1Tests {
    @Test("all 38 calls of the vectors are encoded and decoded byte for byte")
    func vectors() throws {
        let calls = try Vectors.calldata.array("calls")
        #expect(calls.count == 38)
        for vector in calls {
            let name = try vector.text("name")
            let data = try vector.bytes("calldata")
            let arguments = try vector.object("args")
            if name.hasPrefix("ERC-20") || name.hasPrefix("WETH9") {
                #expect(try tokenCall(vector.text("signature"), arguments) == data, "\(name)")
                continue
            }
            let call = try Self.call(vector.text("signature"), arguments)
            #expect(call.data == data, "\(name)")
            #expect(try ExchangeCallV1(data: data) == call, "\(name)")
            #expect(call.function.signature == (try vector.text("signature")))
        }
    }

    @Test("selectors are the hashes of the signatures", arguments: ExchangeCallV1.Function.allCases)
    func selectors(function: ExchangeCallV1.Function) {
        let hash = Keccak256.hash(function.signature.utf8).limbs.0
        #expect(UInt32(hash >> 32) == function.rawValue)
        #expect(function.signature.hasPrefix(function.name + "("))
    }

    @Test("every truncation and every byte too many is refused")
    func truncations() throws {
        for vector in try Self.exchangeCalls() {
            let data = try vector.bytes("calldata")
            for length in data.indices {
                #expect(throws: ExchangeCallError.self) {
                    try ExchangeCallV1(data: Array(data.prefix(length)))
                }
            }
            for extra in [1, 31, 32, 64] {
                #expect(throws: ExchangeCallError.self) {
                    try ExchangeCallV1(data: data + [UInt8](repeating: 0, count: extra))
                }
            }
        }
    }

    @Test("a flipped bit is refused or gives a call that encodes to just these bytes")
    func bitFlips() throws {
        var refused = 0
        for vector in try Self.exchangeCalls() {
            let data = try vector.bytes("calldata")
            for bit in 0..<(8 * data.count) {
                var flipped = data
                flipped[bit / 8] ^= 1 << (bit % 8)
                guard let call = try? ExchangeCallV1(data: flipped) else {
                    refused += 1
                    continue
                }
                #expect(call.data == flipped)
            }
        }
        #expect(refused > 1000)
    }

    @Test("arrays of different lengths are handed over as they are")
    func unevenArrays() throws {
        let addresses = OrderAddressesV1(SampleOrder().draft)
        let values = OrderValuesV1(SampleOrder().draft)
        let call = ExchangeCallV1.fillOrdersUpTo(
            .init(addresses: [addresses, addresses, addresses], values: [values]),
            fill: 5,
            shouldThrow: true,
            .init(v: [27, 28], r: [], s: [.zero])
        )
        #expect(try ExchangeCallV1(data: call.data) == call)
    }

    @Test("lengths and offsets beyond the data, and arrays that overlap, are refused")
    func hostileOffsets() throws {
        let orders = ExchangeCallV1.Orders([SampleOrder().draft])
        let data = ExchangeCallV1.batchCancelOrders(orders, cancels: [1]).data
        let offsets = [0, 32, 64]
        let lengths = [96, 96 + 32 * 6, 96 + 32 * 6 + 32 * 7]
        let numbers: [UInt256] = [
            0, 1, 31, 32, 33, 64, 97, 128, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63,
            (1 << 64) - 32, (1 << 64) - 1, 1 << 64, .max - 31, .max,
        ]
        for position in offsets + lengths {
            for number in numbers {
                var changed = data
                changed.replaceSubrange(
                    (4 + position)..<(36 + position),
                    with: number.bigEndianBytes
                )
                guard changed != data else { continue }
                #expect(throws: ExchangeCallError.self) { try ExchangeCallV1(data: changed) }
            }
        }
    }

    @Test("what the contracts do not have is named so")
    func unknownFunction() {
        for data in [[], [1, 2, 3], [0xDE, 0xAD, 0xBE, 0xEF]] as [[UInt8]] {
            #expect(throws: ExchangeCallError.unknownFunction(.v1)) {
                try ExchangeCallV1(data: data)
            }
        }
        let error = #expect(throws: ExchangeCallError.self) {
            try ExchangeCallV1(data: [0x28, 0x8c, 0xdc, 0x91])
        }
        #expect(error == .malformedArguments("filled"))
        #expect(error?.description == "The arguments of the call of filled are not well-formed.")
        #expect(
            ExchangeCallError.unknownFunction(.v1).description
                == "The call names no function of the 0x v1 contracts."
        )
    }

    private static func exchangeCalls() throws -> [JSONValue] {
        try Vectors.calldata.array("calls").filter { vector in
            let name = try vector.text("name")
            return !name.hasPrefix("ERC-20") && !name.hasPrefix("WETH9")
        }
    }

    private func tokenCall(_ signature: String, _ arguments: JSONValue) throws -> [UInt8] {
        switch signature {
        case "approve(address,uint256)":
            ERC20.approve(
                spender: try arguments.address("spender"),
                amount: try arguments.number("value")
            )
        case "allowance(address,address)":
            ERC20.allowance(
                owner: try arguments.address("owner"),
                spender: try arguments.address("spender")
            )
        case "balanceOf(address)": ERC20.balanceOf(try arguments.address("owner"))
        case "transfer(address,uint256)":
            ERC20.transfer(
                to: try arguments.address("to"),
                amount: try arguments.number("value")
            )
        case "deposit()": ERC20.call("deposit()")
        case "withdraw(uint256)":
            ERC20.call("withdraw(uint256)", try arguments.number("wad").word)
        default: throw VectorError(what: signature)
        }
    }
}
