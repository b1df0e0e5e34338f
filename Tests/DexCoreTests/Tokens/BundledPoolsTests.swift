import Ethereum
import Foundation
import StrictJSON
import Testing
import Uniswap

@testable import DexCore

@Suite("The bundled contracts of Uniswap")
struct BundledPoolsTests {
    /// The addresses that Uniswap's register, SDK and documentation agree on, by chain.
    private static func chains() throws -> JSONObject {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../UniswapTests/Vectors/uniswap-addresses.json")
        let vectors = try JSONParser.parse(Data(contentsOf: file))
        return try #require(vectors["chains"]?.objectValue)
    }

    @Test("each network of a chain with Uniswap has its contracts and hubs, and no other has any")
    func listed() throws {
        let chains = try Self.chains()
        var found: Set<String> = []
        for network in try NetworkCatalog.bundled() where !network.isSandbox {
            guard let chain = chains[String(network.chainID)] else {
                #expect(network.pools == nil, "\(network.name)")
                continue
            }
            found.insert(String(network.chainID))
            func address(_ json: JSONValue?) -> Address? {
                json?.stringValue.flatMap(Address.init(ifValid:))
            }
            let hubs = try #require(chain["hubs"]?.arrayValue)
            let expected = UniswapDeployment(
                chainID: network.chainID,
                v2Factory: try #require(address(chain["v2Factory"])),
                v2Router: address(chain["v2Router02"]),
                v3Factory: try #require(address(chain["v3Factory"])),
                quoter: try #require(address(chain["quoterV2"])),
                router: try #require(address(chain["swapRouter02"])),
                lens: address(chain["tickLens"]),
                wrapped: address(chain["wrapped"]?["address"]),
                hubs: try hubs.map { try #require(address($0["address"])) }
            )
            #expect(network.pools == expected, "\(network.name)")
        }
        #expect(found == Set(chains.members.map(\.key)))
    }
}
