import Foundation
import Testing

@testable import Ethereum
@testable import ZeroEx

/// The examples in the docstrings of Ethereum and ZeroEx are compiled and run here, word for word.
@Suite("Examples in docstrings")
struct DocumentedExampleTests {
    /// A docstring says `Example:`, the expression, `is` and what it gives.
    private struct Example: Hashable {
        let expression: String
        let result: String

        /// However its lines are broken.
        init(_ expression: some StringProtocol, _ result: some StringProtocol) {
            self.expression = String(expression).filter { !$0.isWhitespace }
            self.result = String(result)
        }
    }

    private static let examples = [
        gives("0xdead") { Hex.encode([0xde, 0xad]) },
        gives("[222, 173]") { try Hex.decode("0xdead") },
        gives("0000000000007f3a") { Hex.digits(0x7f3a) },
        gives("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470") {
            Keccak256.hash("".utf8)
        },
        gives("0x820400") { Hex.encode(RLP.integer(1024).encoded) },
        gives("0xc483636174") { Hex.encode(RLP.list([.bytes(Array("cat".utf8))]).encoded) },
        gives("Optional(1024)") { try RLP.decode([0x82, 0x04, 0x00]).unsignedInteger },
        gives("Optional(1)") { try ABI.encode([.bool(true)], as: [.bool]).last },
        gives("[Ethereum.ABIValue.uint(5)]") {
            try ABI.decode(UInt256(5).bigEndianBytes, as: [.uint(8)])
        },
        gives("0xa9059cbb") { try Hex.encode(ABIFunction("transfer(address,uint256)").selector) },
        gives("transfer(address,uint256)") {
            try ABIFunction("transfer(address,uint)(bool)").signature
        },
        gives("array([Ethereum.ABIValue.uint(1), Ethereum.ABIValue.uint(2)])") {
            try ABIText.parse("[1,2]", as: .array(.uint(8)))
        },
        gives("(1,true)") { ABIText.format(.tuple([.uint(1), .bool(true)])) },
        gives("-1") { ABIText.signed(.max) },
        gives("(address,bytes32)[]") { ABIType.array(.tuple([.address, .fixedBytes(32)])).name },
        gives("0x70a08231") { Hex.encode(ERC20.balanceOf(.zero).prefix(4)) },
        gives("0xdd62ed3e") { Hex.encode(ERC20.allowance(owner: .zero, spender: .zero).prefix(4)) },
        gives("0x095ea7b3") { Hex.encode(ERC20.approve(spender: .zero, amount: 1).prefix(4)) },
        gives("0xa9059cbb") { Hex.encode(ERC20.transfer(to: .zero, amount: 1).prefix(4)) },
        gives("0x50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750") {
            EthereumMessage.hash("hello".utf8)
        },
        gives("1500000000000000000") { try DecimalText.parse("1.5", decimals: 18) },
        gives("1.5") { DecimalText.format(1_500_000_000_000_000_000, decimals: 18) },
        gives("Optional(7)") { UInt256(decimal: "007") },
        gives("Optional(1000)") { UInt256(quantity: "0x3e8") },
        gives("0x3e8") { UInt256(1000).quantity },
        gives("1") { UInt256.max.addingReportingOverflow(2).partialValue },
        gives("true") { UInt256(1).subtractingReportingOverflow(2).overflow },
        gives("1") { UInt256.max.multipliedFullWidth(by: 2).high },
        gives("3") { UInt256(7).quotientAndRemainder(dividingBy: UInt256(2)).quotient },
        gives("Optional(14)") { UInt256.mulDiv(10, 10, 7)?.quotient },
        gives("nil") { UInt256.max.uint64 },
        gives("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045") {
            try Address("0xd8da6bf26964af9d7eed9e03e53415d37aa96045")
        },
        gives("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045") {
            try Address("0xd8da6bf26964af9d7eed9e03e53415d37aa96045").checksummed
        },
        gives("0xd8da6bf26964af9d7eed9e03e53415d37aa96045") {
            try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045").lowercaseHex
        },
        gives("0xd8dA…6045") {
            try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045").shortened
        },
        gives("Optional(7)") { Wei(3).adding(Wei(4)) },
        gives("nil") { Wei(3).subtracting(Wei(4)) },
        gives("Optional(42000000000000)") { Wei(2_000_000_000).multiplied(by: 21_000) },
        gives("bytes32[2][]") { try TypedDataType("bytes32[2][]").name },
        gives("0x1000") { BlockTag.number(4096).parameter },
        gives("true") { Price(quote: 1, base: 2) == Price(quote: 2, base: 4) },
        gives("Optional(33)") {
            FillMathV1.partialAmount(numerator: 1, denominator: 3, target: 100)
        },
        gives("Optional(true)") {
            FillMathV1.isRoundingError(numerator: 3, denominator: 7, target: 10)
        },
        gives("Optional(150)") {
            FillMathV1.takerAmount(orderMakerAmount: 100, orderTakerAmount: 300, for: 50)
        },
        gives("Optional(48)") {
            FillMathV1.largestFill(orderMakerAmount: 100, orderTakerAmount: 300, upTo: 50)
        },
        gives("Optional(33)") { FillMathV4.partialAmount(part: 1, of: 3, target: 100) },
        gives("Optional(34)") { FillMathV4.partialAmountRoundedUp(part: 1, of: 3, target: 100) },
        gives("20") { FillMathV4.takerAmount(asked: 50, orderTakerAmount: 300, filled: 280) },
        gives("registerAllowedOrderSigner(address,bool)") {
            ExchangeFunctionV4.registerAllowedOrderSigner.signature
        },
        gives("getPartialAmount") { ExchangeCallV1.Function.getPartialAmount.name },
    ]

    private static func gives<Value>(
        _ result: String,
        _ value: @escaping @Sendable () throws -> Value
    ) -> (result: String, value: @Sendable () throws -> String) {
        (result, { String(describing: try value()) })
    }

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What this file runs.
    private static func tested() throws -> Set<Example> {
        let text = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        return Set(
            text.matches(of: /gives\(\s*"(.+?)"\s*\) \{\s*(.+?)\s*\}/.dotMatchesNewlines())
                .map { Example($0.2, $0.1) }
        )
    }

    /// What the docstrings say.
    private static func documented() throws -> [Example] {
        var examples: [Example] = []
        for module in ["Ethereum", "ZeroEx"] {
            let folder = root.appending(path: "Sources/\(module)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                    .replacing(#/\n\s*/// /#, with: " ")
                examples += text.matches(of: /Example: `(.+?)` is `(.+?)`\./)
                    .map { Example($0.1, $0.2) }
            }
        }
        return examples
    }

    @Test("each gives what its docstring says")
    func values() throws {
        for example in Self.examples {
            #expect(try example.value() == example.result)
        }
    }

    @Test("all that docstrings say are run here, and no others")
    func complete() throws {
        let documented = try Self.documented()
        #expect(documented.count == Self.examples.count)
        #expect(Set(documented) == (try Self.tested()))
    }
}
