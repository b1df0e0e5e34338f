import Ethereum
import StrictJSON
import Testing

/// eth-abi on what people write behind `dex call` and `dex transact`.
@Suite("Calls of contracts by eth-abi and ours")
struct ContractTextTests {
    @Test("the texts of arguments become the bytes that eth-abi makes, and are read back alike")
    func arguments() async throws {
        let output = try await PeerReport.output(
            of: "contract_calls.py",
            ["make", "4071", "1500"]
        )
        let items = try #require(try JSONParser.parse(output).arrayValue)
        #expect(items.count == 1_500)
        var values = 0
        for item in items {
            let text = try item.peerText("function")
            let function = try ABISignature(text).function
            #expect(function.signature == text)
            let arguments = try #require(item["arguments"]?.arrayValue).map {
                try #require($0.stringValue)
            }
            try #require(arguments.count == function.inputs.count)
            let parsed = try zip(arguments, function.inputs).map { argument, type in
                try ABIText.parse(argument, as: type)
            }
            let data = try Hex.decode(item.peerText("data"))
            #expect(try function.encode(parsed) == data, "\(text) \(arguments)")
            let decoded = try function.decodeArguments(data)
            #expect(decoded.map(ABIText.format) == arguments, "\(text)")
            values += decoded.count
        }
        #expect(values > 2_000)
    }
}
