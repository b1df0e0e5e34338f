import Ethereum
import StrictJSON
import ZeroEx

/// The lines between the relay and a policy program.
enum PolicyLine {
    /// The line of a question: an object, without its end.
    ///
    /// The price is a taker's: base units of the taker token for one of the maker token, with 18
    /// digits after the point, rounded down; null if it has more than 256 bits.
    static func question(_ id: UInt64, _ question: PolicyQuestion) -> [UInt8] {
        let entry = question.entry
        var head = JSONObject()
        head["id"] = .integer(id)
        head["version"] = .string(question.version.rawValue)
        head["hash"] = .string(entry.hash.hex)
        head["maker"] = .string(entry.maker.lowercaseHex)
        head["makerToken"] = .string(entry.direction.makerToken.lowercaseHex)
        head["takerToken"] = .string(entry.direction.takerToken.lowercaseHex)
        head["price"] = price(of: entry).map { .string($0) } ?? .null
        head["client"] = .string(question.client)
        head["fillable"] = .string(question.standing.fillable.description)
        head["partlyFilled"] = .bool(question.standing.isPartlyFilled)
        // The order is JSON already: its bytes become the last member.
        var line = JSONValue.object(head).utf8
        line.removeLast()
        line += Array(",\"order\":".utf8)
        line += entry.body
        line.append(UInt8(ascii: "}"))
        return line
    }

    /// What a program wrote.
    enum Answer: Hashable {
        case verdict(id: UInt64, PolicyVerdict)
        /// An answer to a question, but no verdict; the words say what is wrong.
        case unclear(id: UInt64, String)
        /// Not an answer to anything.
        case nonsense(String)
    }

    /// The most characters of a reason that a client is shown.
    private static let longestReason = 200

    static func answer(_ line: some Collection<UInt8>) -> Answer {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(Array(line), maximumDepth: 4)
        } catch {
            return .nonsense("a line that is not JSON: \(error.problem)")
        }
        guard let text = json["id"]?.numberText, let id = UInt64(text) else {
            return .nonsense("a line without the id of a question")
        }
        switch json["verdict"]?.stringValue {
        case "accept": return .verdict(id: id, .accept)
        case "hide": return .verdict(id: id, .hide)
        case "reject":
            let reason = json["reason"]?.stringValue.map(shown) ?? ""
            return .verdict(
                id: id,
                .reject(reason: reason.isEmpty ? "no reason is given" : reason)
            )
        default:
            return .unclear(id: id, "its verdict is none of accept, reject and hide")
        }
    }

    /// Without control characters, which would reach terminals, and not too long.
    private static func shown(_ reason: String) -> String {
        let scalars = reason.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(longestReason))
    }

    private static func price(of entry: OrderEntry) -> String? {
        let unit = UInt256(1_000_000_000_000_000_000)
        guard
            let scaled = UInt256.mulDiv(entry.order.takerAmount, unit, entry.order.makerAmount)
        else { return nil }
        let (whole, rest) = scaled.quotient.quotientAndRemainder(dividingBy: unit)
        let digits = rest.description
        return "\(whole)." + String(repeating: "0", count: max(0, 18 - digits.utf8.count)) + digits
    }
}
