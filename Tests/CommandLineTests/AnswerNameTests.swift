import AnswerPageSupport
import DexTerminal
import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import DexCommandLine

/// A name of an answer means one type of value, in all commands, tools and errors.
///
/// A type is a shape with a name, such as an amount; else text, integer, true or false, object, or
/// a list or a map of those. Null is no type of its own. The keys of an object are those of its
/// command, each again under this rule.
@Suite("The names of all answers")
struct AnswerNameTests {
    /// What stays under one name with several types, and why.
    private static let kept: [String: String] = [
        "plan": "what a command is about to do: each has keys of its own",
        "outcome": "what came of it: each has keys of its own",
        "orders": "rows of a plan, an outcome or a list: all have `orderHash`",
        "transactions": "rows of what was sent, of the journal or of a block: all have `hash`",
        "token": "a balance's may be the coin, whose address is null: else they are the same",
        "raw": "of a profit it may have a minus sign",
        "value": "of an amount it is text; of a setting or a contract's value it has their type",
    ]

    /// The types of each name.
    private static let types: [String: Set<String>] = {
        var types: [String: Set<String>] = [:]
        var seen: Set<String> = []
        let tools = ToolTable(ring: .do, hasLimits: true).listed.map(\.description.answer.data)
        let parts = [AnswerSchema.error, AnswerSchema.stale, AnswerSchema.proof]
        for shape in SchemaCommand.all.map(\.answer.data) + tools + parts {
            collect(shape, into: &types, seen: &seen)
        }
        return types
    }()

    @Test("each name has one type in all commands")
    func types() {
        #expect(Self.types.count > 400)
        let several = Self.types.filter { $0.value.count > 1 && Self.kept[$0.key] == nil }
        for (name, found) in several.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(name) is \(found.sorted().joined(separator: ", or "))")
        }
    }

    @Test("no name is kept that has one type")
    func keptNames() {
        for name in Self.kept.keys { #expect(Self.types[name]?.count ?? 0 > 1, "\(name)") }
    }

    @Test("the table of changes from dex/1 has the keys of now on its right, and none on its left")
    func changes() throws {
        let keys = try Self.keys()
        let page = try String(
            contentsOf: PythonEnvironment.root.appending(path: "docs/output.md"),
            encoding: .utf8
        )
        let parts = page.components(separatedBy: "<!-- dex/2 -->\n")
        let table = try #require(parts.last?.components(separatedBy: "<!-- end of dex/2 -->").first)
        #expect(parts.count == 2)
        var count = 0
        for line in table.split(separator: "\n") {
            let match = try #require(line.wholeMatch(of: /- (.+?): (`.+)/), "\(line)")
            for place in String(match.1).components(separatedBy: "; ") {
                let known = try #require(keys[place], "\(line)")
                for change in String(match.2).components(separatedBy: "; ") {
                    count += 1
                    try expect(change, in: known)
                }
            }
        }
        #expect(count > 200)
    }

    /// Expects the new name, or the new type, and the old name no more: `raw` → `isRaw`.
    private func expect(_ change: String, in keys: [String: Set<String>]) throws {
        let match = try #require(change.wholeMatch(of: Self.change), "\(change)")
        let (_, before, now, renamedType, type) = match.output
        let types = try #require(keys[String(now ?? before)], "\(change)")
        #expect(now == nil || keys[String(before)] == nil, "\(change)")
        if let type = renamedType ?? type, type.first?.isLetter == true {
            #expect(types.contains(String(type)), "\(change) is \(types)")
        }
    }

    /// The key before with its type, then the key now, its type where that changed, or only this.
    private static var change: Regex<(Substring, Substring, Substring?, Substring?, Substring?)> {
        /`([^`]+)`(?:: .+)? → (?:`([^`]+)`(?:: (.+))?|(.+))/
    }

    /// The keys of docs/output.md with their types, by the heading of their section.
    private static func keys() throws -> [String: [String: Set<String>]] {
        let limits = try #require(
            ToolTable(ring: .look, hasLimits: true).listed.first { $0.name == "limits" }
        )
        let commands = SchemaCommand.all.map { ($0.command, $0.answer) }
        return AnswerPage(commands + [("limits", limits.description.answer)]).keys
    }

    private static func collect(
        _ shape: Shape,
        into types: inout [String: Set<String>],
        seen: inout Set<String>
    ) {
        switch shape {
        case .named(let named):
            guard seen.insert(named.name).inserted else { return }
            collect(named.shape, into: &types, seen: &seen)
        case .object(let members):
            for member in members {
                types[member.name, default: []].formUnion(kinds(member.shape))
                collect(member.shape, into: &types, seen: &seen)
            }
        case .list(let shape), .map(let shape), .nullable(let shape):
            collect(shape, into: &types, seen: &seen)
        case .either(let shapes): for shape in shapes { collect(shape, into: &types, seen: &seen) }
        case .text, .foreign, .pattern, .words, .count, .bool, .constant, .any: break
        }
    }

    /// The types of a value; none of one that is always null.
    private static func kinds(_ shape: Shape) -> Set<String> {
        switch shape {
        case .named(let named): [named.name]
        case .text, .foreign, .pattern, .words: ["text"]
        case .count: ["integer"]
        case .bool: ["true or false"]
        case .constant(let value):
            value.isNull ? [] : value.boolValue == nil ? ["text"] : ["true or false"]
        case .object: ["object"]
        case .list(let shape): Set(kinds(shape).map { "list of \($0)" })
        case .map(let shape): Set(kinds(shape).map { "map of \($0)" })
        case .nullable(let shape): kinds(shape)
        case .either(let shapes): Set(shapes.flatMap(kinds))
        case .any: ["JSON"]
        }
    }
}
