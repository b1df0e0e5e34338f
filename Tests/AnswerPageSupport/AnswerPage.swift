@testable package import DexTerminal

/// The part of docs/output.md about `data`: every key of every command, from its description.
///
/// What several answers mean by a key, such as "The latest block" by `block`, stands once,
/// under "Shared keys". An answer that has the key with this meaning shows the key only.
package struct AnswerPage: Sendable {
    /// The commands with an answer, in the order of the help.
    let commands: [(name: String, answer: Answer)]

    package init(_ commands: [(name: String, answer: Answer)]) {
        self.commands = commands
    }

    /// Markdown lines: the values, the shared keys, the objects that several answers have, then the
    /// commands.
    package var lines: [String] {
        let sections = objects + answers
        let shared = SharedKeys(of: sections)
        return ["#### Values", ""] + values + ["", "#### Shared keys", ""] + shared.lines
            + sections.flatMap { [""] + $0.lines(with: shared) }
    }

    /// The types of each key, by the heading of its section: `account` of `why` is an address.
    package var keys: [String: [String: Set<String>]] {
        var keys: [String: [String: Set<String>]] = [:]
        for section in objects + answers {
            for row in section.forms.flatMap(\.rows) {
                keys[section.title, default: [:]][row.key, default: []].insert(row.type)
            }
        }
        return keys
    }

    private var values: [String] {
        named.filter(\.shape.members.isEmpty).map {
            "- \($0.name) (\($0.shape.words)): \($0.about)"
        }
    }

    private var objects: [AnswerSection] {
        named.filter { !$0.shape.members.isEmpty }.map {
            AnswerSection(
                title: $0.name,
                forms: [AnswerSection.Form(lead: $0.about + ".", rows: $0.shape.rows(below: ""))]
            )
        }
    }

    /// All shapes with a name.
    private var named: [NamedShape] {
        let all = Shape.either(commands.map(\.answer.data)).definitions
        return all.keys.sorted().compactMap { all[$0] }
    }

    /// A section for each answer; commands with the same answer share it.
    private var answers: [AnswerSection] {
        var groups: [(names: [String], answer: Answer)] = []
        for (name, answer) in commands {
            let schema = answer.data.schema
            if let same = groups.firstIndex(where: { $0.answer.data.schema == schema }) {
                groups[same].names.append(name)
            } else {
                groups.append(([name], answer))
            }
        }
        return groups.map { group in
            AnswerSection(
                title: group.names.map { "`\($0)`" }.joined(separator: ", "),
                forms: group.answer.forms.map { form in
                    Self.form(form.when, form.shape, after: group.answer.forms[0].shape)
                }
            )
        }
    }

    /// The keys of a form of an answer; of those that its first form has too only the others.
    private static func form(_ when: String, _ shape: Shape, after first: Shape)
        -> AnswerSection.Form
    {
        let title = when.isEmpty ? "" : "\(when.prefix(1).uppercased())\(when.dropFirst()): "
        if case .named(let named) = shape {
            return AnswerSection.Form(lead: "\(title)As \(named.name) above.", rows: [])
        }
        let known = first.members.map(\.name)
        let names = shape.members.map(\.name)
        if names.isEmpty { return AnswerSection.Form(lead: "\(title)No keys.", rows: []) }
        if !known.isEmpty, names.count > known.count, names.prefix(known.count) == known[...] {
            let rest = Shape.object(Array(shape.members.dropFirst(known.count)))
            return AnswerSection.Form(
                lead: "\(title)The same keys, and:",
                rows: rest.rows(below: "")
            )
        }
        let lead = title.hasSuffix(" ") ? String(title.dropLast()) : title
        return AnswerSection.Form(lead: lead, rows: shape.rows(below: ""))
    }
}
