import Ethereum
import StrictJSON
import Testing

/// eth-account on what eth_signTypedData_v4 is asked to sign.
@Suite("EIP-712 by eth-account and ours")
struct PeerTypedDataTests {
    @Test("messages of any types have the hashes that eth-account makes, and are written alike")
    func hashes() async throws {
        let output = try await PeerReport.output(of: "typed_data.py", ["make", "712", "400"])
        let items = try #require(try JSONParser.parse(output).arrayValue)
        #expect(items.count == 400)
        for item in items {
            let json = try #require(item["data"])
            let data = try TypedData(json: json)
            #expect(data.domain.separator.hex == (try item.peerText("domain")), "\(json.text)")
            #expect(
                try data.types.hash(data.message, of: data.primaryType).hex
                    == (try item.peerText("message")),
                "\(json.text)"
            )
            #expect(data.digest.hex == (try item.peerText("digest")), "\(json.text)")
            #expect(try TypedData(json: data.json) == data, "\(json.text)")
        }
    }
}
