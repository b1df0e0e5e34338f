package import DexCore
package import DexRelay
import Ethereum
import PrivateFiles
import StrictJSON
import ZeroEx

/// The operator's decisions about orders, one JSON object a line, the latest last: what a running
/// relay applies, and the log of it.
///
/// `{"at":1700000000,"action":"hide","maker":"0x...","reason":"..."}`, with `order`, `maker` or
/// `pair` (two addresses). It stands beside relay.toml and has no secret in it.
package struct ModerationFile: Sendable {
    private let file: OperatorFile

    package static let maximumOfReason = 200

    /// - Parameter settings: the path of relay.toml; `a.toml` has `a-moderation.jsonl`.
    package init(settings: String) {
        file = OperatorFile(beside: settings, suffix: "-moderation.jsonl", maximumBytes: 64 << 20)
    }

    package var path: String { file.path }

    /// The bytes of the file; none if there is no file.
    ///
    /// - Throws: `DexError`, exit 3; also if another user could have written it.
    package func content() throws(DexError) -> [UInt8] { try file.content() }

    /// What changes with the file; nil if there is none.
    var identity: PrivateFiles.Identity? { file.identity }

    /// The decisions of the file's bytes, in their order.
    ///
    /// - Throws: `DexError`, exit 3, with the line that is none.
    package func entries(in content: [UInt8]) throws(DexError) -> [ModerationDecision] {
        var entries: [ModerationDecision] = []
        try file.readLines(
            of: content,
            what: "this is not a decision as dex relay hide writes it",
            hint: "Remove the line; write it again with dex relay hide, remove or show"
        ) { line in
            guard let entry = ModerationDecision(line) else { return false }
            entries.append(entry)
            return true
        }
        return entries
    }

    /// Adds a decision behind the others.
    ///
    /// - Throws: `DexError`, exit 3, also if the file cannot be read as a whole.
    package func append(_ entry: ModerationDecision) throws(DexError) {
        try file.replace { () throws(DexError) in
            var content = try content()
            _ = try entries(in: content)
            if let last = content.last, last != UInt8(ascii: "\n") { content.append(0x0A) }
            content += entry.line.utf8 + [UInt8(ascii: "\n")]
            return (content, ())
        }
    }
}

extension ModerationDecision {
    private static let depth = 4

    fileprivate init?(_ line: some Collection<UInt8>) {
        let parsed = try? JSONParser.parse(Array(line), maximumDepth: Self.depth)  // nil: not JSON
        guard let json = parsed, let time = json["at"]?.numberText.flatMap({ UInt64($0) }),
            let action = json["action"]?.stringValue.flatMap({ Moderation.Action(rawValue: $0) })
        else { return nil }
        let subject: Moderation.Subject
        if let hash = json["order"]?.stringValue.flatMap({ OrderHash(ifHex: $0) }) {
            subject = .order(hash)
        } else if let maker = json["maker"]?.stringValue.flatMap({ Address(ifHex: $0) }) {
            subject = .maker(maker)
        } else if let tokens = json["pair"]?.arrayValue, tokens.count == 2,
            let one = tokens[0].stringValue.flatMap({ Address(ifHex: $0) }),
            let other = tokens[1].stringValue.flatMap({ Address(ifHex: $0) }), one != other
        {
            subject = .pair(PairDirection(makerToken: one, takerToken: other))
        } else {
            return nil
        }
        self.init(
            time: time,
            action: action,
            subject: subject,
            reason: json["reason"]?.stringValue
        )
    }

    /// As it stands in the file.
    fileprivate var line: JSONValue {
        var object = JSONObject()
        object["at"] = .number(String(time))
        object["action"] = .string(action.rawValue)
        switch subject {
        case .order(let hash): object["order"] = .string(hash.hex)
        case .maker(let maker): object["maker"] = .string(maker.lowercaseHex)
        case .pair(let pair):
            object["pair"] = [
                .string(pair.makerToken.lowercaseHex), .string(pair.takerToken.lowercaseHex),
            ]
        }
        object["reason"] = reason.map { .string($0) }
        return .object(object)
    }
}
