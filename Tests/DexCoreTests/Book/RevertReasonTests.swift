import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Why a contract reverted")
struct RevertReasonTests {
    private func data(_ signature: String, _ values: [ABIValue]) throws -> [UInt8] {
        try ABIFunction(signature).encode(values)
    }

    private func reason(_ data: [UInt8]) -> RevertReason {
        RevertReason(data, by: ZeroExV1())
    }

    private func words(of error: ChainError) -> String {
        RevertReason.words(of: error, by: ZeroExV1())
    }

    @Test("the words of require are quoted, with what a terminal would obey shown")
    func words() throws {
        let reason = self.reason(
            try data("Error(string)", [.string("\u{1B}[31mpaused\u{202E}")])
        )
        #expect(reason.text == #""\u{1B}[31mpaused\u{202E}""#)
    }

    @Test("words that are empty, and no data at all, are no reason", arguments: [true, false])
    func none(isEmpty: Bool) throws {
        let bytes = isEmpty ? [] : try data("Error(string)", [.string("")])
        #expect(reason(bytes).text == "no reason given")
    }

    @Test("a panic is told by what its number means")
    func panics() throws {
        let overflow = reason(try data("Panic(uint256)", [.uint(0x11)]))
        #expect(overflow == .panic(0x11))
        #expect(overflow.text == "panic 0x11: a number overflows")
        let unknown = reason(try data("Panic(uint256)", [.uint(.max)]))
        #expect(unknown.text.hasSuffix(": an unknown kind"))
    }

    @Test("what is neither is shown as it came, and no more of it than fits a screen or two")
    func custom() throws {
        let own = reason([0xDE, 0xAD, 0xBE, 0xEF])
        #expect(own.text == "an error of the contract's own, 0xdeadbeef")
        let huge = reason([UInt8](repeating: 7, count: 100_000))
        #expect(huge.text.count < 600)
        #expect(huge.text.hasSuffix("…"))
    }

    @Test("data that only begins like words or a panic is taken for nothing else")
    func truncated() throws {
        let words = Array(try data("Error(string)", [.string("paused")]).dropLast(40))
        #expect(reason(words) == .custom(words))
        let panic = Array(try data("Panic(uint256)", [.uint(1)]).dropLast())
        #expect(reason(panic) == .custom(panic))
    }

    @Test("the contract's words go before the node's, and the node's before none")
    func node() throws {
        let data = try data("Error(string)", [.string("paused")])
        #expect(words(of: .reverted(data: data, message: "revert")) == "\"paused\"")
        let silent = ChainError.reverted(data: [], message: "execution reverted\u{1B}[2J")
        #expect(words(of: silent) == #""execution reverted\u{1B}[2J""#)
        #expect(
            words(of: .reverted(data: [], message: "")) == "no reason given"
        )
        let failure = ChainError.rpc(code: -32_000, message: "invalid opcode")
        #expect(words(of: failure).contains("invalid opcode"))
    }
}
