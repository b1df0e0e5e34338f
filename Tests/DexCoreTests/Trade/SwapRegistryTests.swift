import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport
@testable import Ethereum

@Suite("The registry that names a swap venue's contracts")
struct SwapRegistryTests {
    private static let current = Address(truncating: UInt256(0x5E77).word)
    private static let previous = Address(truncating: UInt256(0x5E76).word)

    /// What is read of the registry's two answers.
    private func genuine(
        _ results: [Result<ChainAnswer, ChainError>]
    ) throws -> Result<[Address], DexError> {
        var batch = ReadBatch()
        let asked = SwapRegistry.ask(
            ZeroExSwapRules(chainID: 1),
            at: .number(7),
            in: &batch
        )
        try #require(batch.questions.count == results.count)
        return ReadAnswers(results: results).result(asked)
    }

    private func failure(_ results: [Result<ChainAnswer, ChainError>]) throws -> String? {
        switch try genuine(results) {
        case .success: nil
        case .failure(let error): error.code
        }
    }

    private static func word(_ address: Address) -> Result<ChainAnswer, ChainError> {
        .success(.bytes(address.word.bytes))
    }

    private static let reverted = Result<ChainAnswer, ChainError>.failure(
        .reverted(data: [], message: "execution reverted")
    )

    @Test("it names the present contract and the one before it")
    func named() throws {
        let both = try genuine([Self.word(Self.current), Self.word(Self.previous)])
        #expect(try both.get() == [Self.current, Self.previous])
        let one = try genuine([Self.word(Self.current), Self.reverted])
        #expect(try one.get() == [Self.current])
    }

    @Test("a registry that reverts or names nobody is paused; a node that fails is not")
    func paused() throws {
        for first in [Self.reverted, Self.word(.zero), .success(.bytes([]))] {
            #expect(try failure([first, Self.word(Self.previous)]) == "swap-paused")
        }
        let failed = Result<ChainAnswer, ChainError>.failure(.nonsense("no number"))
        for results in [
            [failed, Self.word(Self.previous)], [Self.word(Self.current), failed],
        ] {
            let code = try failure(results)
            #expect(code != nil && code != "swap-paused")
        }
    }
}
