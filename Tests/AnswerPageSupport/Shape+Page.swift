import StrictJSON

@testable import DexTerminal

extension Shape {
    /// A row for each key; those of objects inside follow theirs.
    func rows(below path: String) -> [AnswerRow] {
        own.flatMap { member -> [AnswerRow] in
            let key = path + member.name + (member.shape.isList ? "[]" : "")
            return [AnswerRow(key: key, member: member)]
                + member.shape.element.rows(below: key + ".")
        }
    }

    /// The keys of an object without a name.
    private var own: [Member] {
        switch self {
        case .object(let members): members
        case .nullable(let shape): shape.own
        default: []
        }
    }

    /// What a list has, or the value itself.
    private var element: Shape {
        switch self {
        case .list(let shape): shape.element
        case .nullable(let shape): shape.element
        default: self
        }
    }

    private var isList: Bool {
        switch self {
        case .list: true
        case .nullable(let shape): shape.isList
        default: false
        }
    }

    /// As docs/output.md calls it: `amount?` is an amount, or null.
    var words: String {
        switch self {
        case .named(let named): named.name
        case .text: "text"
        case .foreign: "foreign"
        case .pattern(let expression): "`\(expression)`"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .count: "count"
        case .bool: "boolean"
        case .constant(let value): "`\(value.text)`"
        case .object: "object"
        case .list(let shape): shape.words
        case .map(let shape): "object of \(shape.words)"
        case .nullable(let shape):
            if case .either = shape { Self.either([self]) } else { Self.orNull(shape.words) }
        case .either(let shapes): Self.either(shapes)
        case .any: "JSON"
        }
    }

    private static func orNull(_ words: String) -> String {
        words.allSatisfy { $0.isLetter } ? words + "?" : words + ", or null"
    }

    /// The words of several shapes, each once, null last.
    private static func either(_ shapes: [Shape]) -> String {
        let all = shapes.flatMap(\.alternatives)
        var words: [String] = []
        for word in all.compactMap({ $0?.words }) where !words.contains(word) { words.append(word) }
        return (words + (all.contains { $0 == nil } ? ["null"] : [])).joined(separator: ", or ")
    }

    /// The shapes that it may have, none inside of another; nil is null.
    private var alternatives: [Shape?] {
        switch self {
        case .either(let shapes): shapes.flatMap(\.alternatives)
        case .nullable(let shape): shape.alternatives + [nil]
        default: [self]
        }
    }
}
