import StrictJSON

/// The tables of docs/output.md about `data`: every key of every command, from its description.
package struct AnswerPage: Sendable {
    /// The commands with an answer, in the order of the help.
    let commands: [(name: String, answer: Answer)]

    package init(_ commands: [(name: String, answer: Answer)]) {
        self.commands = commands
    }

    /// Markdown lines: the values, the objects that several answers have, then the commands.
    package var lines: [String] {
        var lines = ["#### Values", "", "| value | what it is |", "|---|---|"]
        lines += named.filter(\.shape.members.isEmpty).map {
            "| \($0.name) | \($0.about): \($0.shape.words) |"
        }
        for object in named where !object.shape.members.isEmpty {
            lines += ["", "#### \(object.name)", "", object.about + ".", ""]
            lines += head + rows(object.shape, below: "")
        }
        for group in groups {
            let names = group.names.map { "`\($0)`" }.joined(separator: ", ")
            lines += ["", "#### \(names)"]
            let forms = group.answer.forms
            for (index, form) in forms.enumerated() {
                lines += [""] + (form.when.isEmpty ? [] : [Self.title(form.when), ""])
                lines += index == 0 ? table(form.shape) : table(form.shape, after: forms[0].shape)
            }
        }
        return lines
    }

    /// All shapes with a name.
    private var named: [NamedShape] {
        let all = Shape.either(commands.map(\.answer.data)).definitions
        return all.keys.sorted().compactMap { all[$0] }
    }

    /// Commands with the same answer stand together.
    private var groups: [(names: [String], answer: Answer)] {
        var groups: [(names: [String], answer: Answer)] = []
        for (name, answer) in commands {
            let schema = answer.data.schema
            if let same = groups.firstIndex(where: { $0.answer.data.schema == schema }) {
                groups[same].names.append(name)
            } else {
                groups.append(([name], answer))
            }
        }
        return groups
    }

    private static func title(_ when: String) -> String {
        "\(when.prefix(1).uppercased())\(when.dropFirst()):"
    }

    private func table(_ shape: Shape) -> [String] {
        if case .named(let named) = shape { return ["As \(named.name) above."] }
        guard !shape.members.isEmpty else { return ["No keys."] }
        return head + rows(shape, below: "")
    }

    /// Of keys that another form has too only the others.
    private func table(_ shape: Shape, after first: Shape) -> [String] {
        let known = first.members.map(\.name)
        let names = shape.members.map(\.name)
        guard !known.isEmpty, names.count > known.count, names.prefix(known.count) == known[...]
        else { return table(shape) }
        let rest = Shape.object(Array(shape.members.dropFirst(known.count)))
        return ["The same keys, and:", ""] + head + rows(rest, below: "")
    }

    private var head: [String] { ["| key | value | |", "|---|---|---|"] }

    /// A row for each key; those of objects inside follow theirs.
    private func rows(_ shape: Shape, below path: String) -> [String] {
        shape.own.flatMap { member -> [String] in
            let key = path + member.name + (member.shape.isList ? "[]" : "")
            let optional = member.isOptional ? "; not always there" : ""
            let row = "| `\(key)` | \(member.shape.words)\(optional) | \(member.about) |"
            return [row] + rows(member.shape.element, below: key + ".")
        }
    }
}

extension Shape {
    /// The keys of an object without a name.
    fileprivate var own: [Member] {
        switch self {
        case .object(let members): members
        case .nullable(let shape): shape.own
        default: []
        }
    }

    /// What a list has, or the value itself.
    fileprivate var element: Shape {
        switch self {
        case .list(let shape): shape.element
        case .nullable(let shape): shape.element
        default: self
        }
    }

    fileprivate var isList: Bool {
        switch self {
        case .list: true
        case .nullable(let shape): shape.isList
        default: false
        }
    }

    /// As docs/output.md calls it.
    fileprivate var words: String {
        switch self {
        case .named(let named): named.name
        case .text: "text"
        case .foreign: "text of others"
        case .pattern(let expression):
            "`\(expression.replacing("|", with: "\\|"))`"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .count: "count"
        case .bool: "true or false"
        case .constant(let value): "`\(value.text)`"
        case .object: "object"
        case .list(let shape): shape.words
        case .map(let shape): "object of \(shape.words)"
        case .nullable(let shape): "\(shape.words), or null"
        case .either(let shapes): shapes.map(\.words).joined(separator: ", or ")
        case .any: "JSON"
        }
    }
}
