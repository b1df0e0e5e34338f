import ArgumentParser
import StrictJSON

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

    /// The arguments of a command, in the order of its help; none if they cannot be read.
    static func all(of command: any ParsableCommand.Type) -> [CommandArgument] {
        // nil: ArgumentParser writes JSON
        guard let help = try? JSONParser.parse(text: command._dumpHelp()),
            let items = help["command"]?["arguments"]?.arrayValue
        else { return [] }
        return items.compactMap(CommandArgument.init)
    }

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
    }
}
