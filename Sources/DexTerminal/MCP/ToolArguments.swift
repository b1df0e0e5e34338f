package import DexCore
package import StrictJSON

/// The arguments of a call, checked: every one is known, and of its kind.
package struct ToolArguments: Sendable {
    enum Value: Sendable {
        case text(String)
        case integer(Int)
        case list([String])
    }

    private var values: [String: Value] = [:]

    /// - Throws: `ToolArgumentError` for the first that is unknown, wrong or missing.
    package init(
        _ given: JSONObject,
        of parameters: [ToolParameter]
    ) throws(ToolArgumentError) {
        for member in given.members {
            guard let parameter = parameters.first(where: { $0.name == member.key }) else {
                throw .unknown(member.key, known: parameters.map(\.name))
            }
            guard let value = parameter.value(member.value) else {
                throw .wrong(member.key, expected: parameter.expectation)
            }
            values[member.key] = value
        }
        for parameter in parameters where parameter.isRequired && values[parameter.name] == nil {
            throw .missing(parameter.name, expected: parameter.expectation)
        }
    }

    /// The text of an argument; nil if it was not given.
    package func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { text } else { nil }
    }

    package func integer(_ name: String) -> Int? {
        if case .integer(let value)? = values[name] { value } else { nil }
    }

    /// The texts of a list; empty if it was not given.
    package func list(_ name: String) -> [String] {
        if case .list(let texts)? = values[name] { texts } else { [] }
    }
}

/// Arguments that a tool does not take.
package enum ToolArgumentError: ReportedError {
    case unknown(String, known: [String])
    case wrong(String, expected: String)
    case missing(String, expected: String)
    /// The command behind the tool does not take them together.
    case refused(String)

    package var report: DexError {
        Self.row(.usage("bad-arguments"), message, hint: hint)
    }

    private var message: String {
        switch self {
        case .unknown(let name, _):
            "The tool takes no argument \(PlainText.quoted(name, limit: 40))."
        case .wrong(let name, let expected): "\"\(name)\" has to be \(expected)."
        case .missing(let name, _): "\"\(name)\" is missing."
        case .refused(let reason): PlainText.sentence(reason, limit: 400)
        }
    }

    private var hint: String? {
        switch self {
        case .unknown(_, let known):
            known.isEmpty
                ? "It takes none." : "It takes \(known.joined(separator: ", "))."
        case .missing(_, let expected): "It is \(expected)."
        case .wrong, .refused: nil
        }
    }
}
