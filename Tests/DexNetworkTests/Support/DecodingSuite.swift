import Ethereum
import StrictJSON

@testable import DexNetwork

/// What suites about the shape of answers have in common.
protocol DecodingSuite {}

extension DecodingSuite {
    static var hash: String { "0x" + String(repeating: "ab", count: 32) }
    static var other: String { "0x" + String(repeating: "cd", count: 32) }
    static var address: String { "0x" + String(repeating: "11", count: 20) }

    func answer(_ read: ChainRead, _ json: String) throws -> ChainAnswer {
        try ChainAnswer(JSONParser.parse(text: json), to: read)
    }

    /// Why an answer is nonsense; nil where it is not.
    func nonsense(_ read: ChainRead, _ json: String) throws -> String? {
        let json = try JSONParser.parse(text: json)
        do throws(ChainError) {
            _ = try ChainAnswer(json, to: read)
            return nil
        } catch .nonsense(let reason) {
            return reason
        } catch {
            return "not nonsense"
        }
    }
}
