import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Warnings about tokens")
struct TokenWarningTests {
    private func warnings(_ address: String) throws -> [String] {
        let map = try TokenMap(chainID: 1)
        let token = try #require(map.known(Address(lenient: address)))
        return map.warnings(for: token)
    }

    @Test("a token that nothing is known against has none")
    func clean() throws {
        #expect(try warnings("0xE41d2489571d322189246DaFA5ebDe1F4699F498").isEmpty)
    }

    @Test("0x's first wrapped ether was replaced, and its symbol is WETH9's")
    func superseded() throws {
        let warnings = try warnings("0x2956356cD2a2bf3202F771F50D3D14A367b48070")
        #expect(warnings.contains { $0.contains("was replaced") })
        #expect(
            warnings.contains { $0.hasPrefix("Another token on chain 1 can be taken for WETH") }
        )
    }

    @Test("every flag of the list has its sentence")
    func flags() throws {
        let map = try TokenMap(chainID: 1)
        let sentences: [(ListedToken.Flag, String)] = [
            (.superseded, "replaced"), (.nonTransferable, "locked or destroyed"),
            (.singleSource, "one source only"), (.spam, "spam"), (.disputedDecimals, "disagree"),
        ]
        for (flag, sentence) in sentences {
            let listed = try #require(map.table.all.first { $0.flags.contains(flag) })
            #expect(map.warnings(for: listed.token).contains { $0.contains(sentence) })
        }
        let replaced = try #require(map.table.all.first { $0.replacedBy != nil })
        let successor = try #require(replaced.replacedBy?.checksummed)
        #expect(map.warnings(for: replaced.token).contains { $0.contains("by \(successor)") })
    }

    @Test("a contract that is known to imitate a token is named, and the token with it")
    func spoof() throws {
        let map = try TokenMap(chainID: 1)
        let address = try Address("0xC93a59888E7E6f2849bA94AcF767266299C4c415")
        let token = Token(address: address, symbol: "USDC", name: "USD CLASSIC", decimals: 4)
        let warnings = map.warnings(for: token)
        #expect(warnings.contains { $0.contains("is in no token list") })
        #expect(warnings.contains { $0.contains("It is NOT the listed USDC") })
        #expect(
            warnings.contains {
                $0.contains("pass itself off as USDC (0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48)")
            }
        )
    }

    @Test("unknown decimals are said to be base units")
    func decimals() throws {
        let address = try Address("0x0000000000000000000000000000000000000001")
        let token = Token(address: address, symbol: "NODEC", name: "", decimals: nil)
        let warnings = try TokenMap(chainID: 1).warnings(for: token)
        #expect(
            warnings.last == "The decimals of NODEC are unknown: its amounts are in base units."
        )
    }
}
