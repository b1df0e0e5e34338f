import DexStore
import DexTerminal
import Ethereum
import StrictJSON
import Testing

@testable import DexCore

@Suite("The JSON envelope")
struct JSONEnvelopeTests {
    @Test("success has every member, and error is null")
    func success() {
        let envelope = JSONEnvelope(
            command: "price",
            status: .ok,
            exit: .done,
            data: ["bid": "0.1"]
        )
        #expect(
            envelope.json.text
                == #"{"schema":"dex/2","command":"price","status":"ok","exitCode":0,"#
                + #""data":{"bid":"0.1"},"warnings":[],"error":null}"#
        )
    }

    @Test("a failure carries its code, hint and whether another try may help")
    func failure() {
        let error = DexError(
            .unreachable,
            code: "relay-unreachable",
            message: "The relay \u{1B}[31mis down.",
            retryable: true
        )
        let envelope = JSONEnvelope(command: "pairs", error: error, warnings: ["a\u{7}b"])
        #expect(
            envelope.json.text
                == #"{"schema":"dex/2","command":"pairs","status":"error","exitCode":4,"data":{},"#
                + #""warnings":["ab"],"error":{"code":"relay-unreachable","#
                + #""message":"The relay is down.","hint":"","retryable":true}}"#
        )
    }

    @Test("what had been sent before a failure is its data")
    func sentBefore() throws {
        let hash = try TransactionHash(hex: "0x\(String(repeating: "ab", count: 32))")
        let approval = SentTransaction(
            purpose: .approve,
            hash: hash,
            coin: .ether,
            stage: .confirmed,
            block: 7,
            gasUsed: 46_000,
            cost: Wei(92_000_000_000_000)
        )
        let error = DexError(.refused, code: "book-moved", message: "It moved.")
            .after([approval])
        let data = try #require(JSONEnvelope(command: "fill", error: error).json["data"])
        #expect(
            data.text
                == #"{"transactions":[{"purpose":"approve","hash":"\#(hash.hex)","#
                + #""status":"mined","block":7,"gasUsed":46000,"cost":{"raw":"92000000000000","#
                + #""value":"0.000092","symbol":"ETH","address":null},"changes":null}]}"#
        )
    }

    @Test("integers are numbers up to 2^53 and strings beyond")
    func integers() {
        #expect(JSONFormat.integer(UInt64(9_007_199_254_740_992)).text == "9007199254740992")
        #expect(JSONFormat.integer(UInt64(9_007_199_254_740_993)).text == "\"9007199254740993\"")
        #expect(JSONFormat.integer(UInt256.max).stringValue?.count == 78)
    }

    @Test("an amount of unknown decimals has no human value, never an assumed one")
    func unknownDecimals() throws {
        let address = try Address("0xE41d2489571d322189246DaFA5ebDe1F4699F498")
        let known = Token(address: address, symbol: "ZRX", name: "0x", decimals: 18)
        let unknown = Token(address: address, symbol: "Z\u{202E}RX", name: "", decimals: nil)
        #expect(
            JSONFormat.amount(1_500_000_000_000_000_000, known).text
                == #"{"raw":"1500000000000000000","value":"1.5","symbol":"ZRX","#
                + #""address":"0xE41d2489571d322189246DaFA5ebDe1F4699F498"}"#
        )
        #expect(JSONFormat.amount(7, unknown)["value"] == .null)
        #expect(JSONFormat.amount(7, unknown)["symbol"] == "ZRX")
    }
}
