@testable import DexTerminal

/// The keys under one heading of docs/output.md.
struct AnswerSection {
    /// The keys of an answer in one case, such as `with --relays`.
    struct Form {
        /// What stands before the keys; empty where nothing does.
        let lead: String
        let rows: [AnswerRow]
    }

    let title: String
    let forms: [Form]

    /// A key without a sentence has that of the form before, else of the shared keys.
    func lines(with shared: SharedKeys) -> [String] {
        var lines = ["#### \(title)"]
        var said: [String: AnswerRow] = [:]
        for form in forms {
            if !form.lead.isEmpty { lines += ["", form.lead] }
            if !form.rows.isEmpty { lines.append("") }
            var items: [Item] = []
            for row in form.rows {
                let isKnown = said[row.key].map { $0 == row } ?? shared.has(row)
                said[row.key] = row
                let meaning = isKnown ? nil : row.meaning
                // Known keys that follow one another stand together, those of one sentence too.
                let same =
                    isKnown
                    ? items.indices.last.flatMap { items[$0].meaning == nil ? $0 : nil }
                    : items.firstIndex { $0.meaning == meaning }
                if let same {
                    items[same].keys.append(row.key)
                } else {
                    items.append(Item(keys: [row.key], meaning: meaning))
                }
            }
            lines += items.map(\.line)
        }
        return lines
    }

    /// Keys of one meaning, or several whose meanings stand elsewhere.
    private struct Item {
        var keys: [String]
        let meaning: AnswerRow.Meaning?

        var line: String {
            let names = keys.map { "`\($0)`" }.joined(separator: ", ")
            return "- \(names)" + (meaning?.text ?? "")
        }
    }
}

/// A key of an answer.
struct AnswerRow: Equatable {
    /// Its path: `bids[].price`.
    let key: String
    let type: String
    let meaning: Meaning

    /// What the last part of a key means.
    struct Meaning: Hashable {
        /// The last part of the path: `price`.
        let name: String
        /// Its type, except of an object, and its sentence: ` (price): QUOTE per BASE`.
        let text: String
        /// Its sentence is about the keys beside it too, such as "Halfway between them".
        var isAboutOthers: Bool {
            text.contains(/\b(?:above|below|them|that|the same|The same)\b/)
        }
    }

    init(key: String, member: Shape.Member) {
        self.key = key
        type = member.shape.words
        let optional = member.isOptional ? ", optional" : ""
        // The type says already that it may be null.
        let about =
            type.hasSuffix("?") || type.hasSuffix("or null")
            ? member.about.replacing(/[,;] or null$/, with: "") : member.about
        meaning = Meaning(
            name: key.split(separator: ".").last.map(String.init) ?? key,
            text: type == "object" && !member.isOptional
                ? ": \(about)" : " (\(type)\(optional)): \(about)"
        )
    }
}

/// For each last part of a key, the meaning that most answers give to it, if several do.
struct SharedKeys {
    private let meanings: [String: AnswerRow.Meaning]

    init(of sections: [AnswerSection]) {
        var counts: [AnswerRow.Meaning: Int] = [:]
        for row in sections.flatMap(\.forms).flatMap(\.rows) {
            counts[row.meaning, default: 0] += 1
        }
        var best: [String: AnswerRow.Meaning] = [:]
        for (meaning, count) in counts where count > 1 && !meaning.isAboutOthers {
            if let other = best[meaning.name] {
                let order = (counts[other] ?? 0, meaning.text)
                if order >= (count, other.text) { continue }
            }
            best[meaning.name] = meaning
        }
        meanings = best
    }

    var lines: [String] {
        meanings.values.sorted { $0.name < $1.name }.map { "- `\($0.name)`\($0.text)" }
    }

    func has(_ row: AnswerRow) -> Bool { meanings[row.meaning.name] == row.meaning }
}
