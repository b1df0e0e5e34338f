import ArgumentParser
import StrictJSON
import Synchronization

/// An option, a flag or an argument of a command, as ArgumentParser describes it.
struct CommandArgument: Hashable {
    enum Kind: String {
        case positional
        case option
        case flag
    }

    let kind: Kind
    /// Its spellings with their dashes; none for a positional one.
    let names: [String]
    /// The word for its value in the help.
    let value: String
    /// What it may be, if that is a fixed list.
    let allowed: [String]
    let abstract: String
    /// It takes all words that follow.
    let isRepeating: Bool
    let isOptional: Bool
    /// What it is without a value, if that is something.
    let usual: String
    /// The title of its group of options; nil for a command's own.
    let section: String?

    /// The arguments of a command, in the order of its help; none if they cannot be read.
    static func all(of command: any ParsableArguments.Type) -> [CommandArgument] {
        // nil: ArgumentParser writes JSON
        (try? described(command)) ?? []
    }

    /// The same.
    ///
    /// - Throws: `JSONError` if ArgumentParser describes a command in a way of its own.
    static func described(
        _ command: any ParsableArguments.Type
    ) throws(JSONError) -> [CommandArgument] {
        let key = ObjectIdentifier(command)
        if let known = known.withLock({ $0[key] }) { return known }
        let help = try JSONParser.parse(text: command._dumpHelp())
        let items = help["command"]?["arguments"]?.arrayValue ?? []
        let arguments = items.compactMap(CommandArgument.init)
        known.withLock { $0[key] = arguments }
        return arguments
    }

    /// What was described before: ArgumentParser takes longer for it than a short command for all else.
    private static let known = Mutex<[ObjectIdentifier: [CommandArgument]]>([:])

    /// Its value is the name of a file.
    ///
    /// - Parameter typed: the part of the value that is typed; an order is a hash or a file.
    func takesFile(_ typed: String) -> Bool {
        switch value {
        case "file": true
        case "path": names == ["--tokens"]
        case "order": !typed.isEmpty && !typed.hasPrefix("@") && !"0x".hasPrefix(typed.prefix(2))
        default: false
        }
    }

    private init?(_ item: JSONValue) {
        guard let kind = item["kind"]?.stringValue.flatMap(Kind.init),
            item["shouldDisplay"] != false
        else { return nil }
        self.kind = kind
        names = (item["names"]?.arrayValue ?? []).compactMap { name in
            guard let text = name["name"]?.stringValue else { return nil }
            return name["kind"]?.stringValue == "long" ? "--" + text : "-" + text
        }
        value = item["valueName"]?.stringValue ?? ""
        allowed = (item["allValues"]?.arrayValue ?? []).compactMap(\.stringValue)
        abstract = item["abstract"]?.stringValue ?? ""
        isRepeating = item["isRepeating"] == true
        isOptional = item["isOptional"] == true
        usual = item["defaultValue"]?.stringValue ?? ""
        section = item["sectionTitle"]?.stringValue
    }
}
