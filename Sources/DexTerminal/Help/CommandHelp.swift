/// What the help of a command says, on a terminal and in its manual page.
package struct CommandHelp: Equatable, Sendable {
    /// A command line that a user may type, and what it does.
    package struct Example: Equatable, Sendable {
        /// One phrase without a full stop: `Buy 100 ZRX`.
        package let purpose: String
        /// The line as it is typed: `dex buy ZRX/WETH 100`.
        package let line: String

        package init(_ purpose: String, _ line: String) {
            self.purpose = purpose
            self.line = line
        }
    }

    /// An argument or an option.
    package struct Parameter: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case argument
            case option
            /// An option without a value.
            case flag
        }

        package let kind: Kind
        /// `-w` and `--wallet`; empty for an argument.
        package let names: [String]
        /// The word for its value: `pair`.
        package let value: String
        package let text: String
        /// The title of its group of options; nil for a command's own.
        package let section: String?
        package let isRequired: Bool
        package let isRepeating: Bool

        package init(
            kind: Kind,
            names: [String],
            value: String,
            text: String,
            section: String? = nil,
            isRequired: Bool = false,
            isRepeating: Bool = false
        ) {
            self.kind = kind
            self.names = names
            self.value = value
            self.text = text
            self.section = section
            self.isRequired = isRequired
            self.isRepeating = isRepeating
        }
    }

    /// A command of a group, in the group's list.
    package struct Member: Equatable, Sendable {
        /// The name and its short forms.
        package let names: [String]
        package let summary: String

        package init(names: [String], summary: String) {
            self.names = names
            self.summary = summary
        }
    }

    package struct MemberGroup: Equatable, Sendable {
        package let title: String
        package let members: [Member]

        package init(title: String, members: [Member]) {
            self.title = title
            self.members = members
        }
    }

    /// The words before the arguments: `dex wallet new`.
    package let name: String
    /// The short forms of the last word.
    package let aliases: [String]
    /// One sentence.
    package let summary: String
    package let examples: [Example]
    /// Paragraphs, with an empty line between two; may be empty.
    package let discussion: String
    /// Arguments and options in the order of their declaration, without those of every command.
    package let parameters: [Parameter]
    /// The commands of a group; empty for a command that does something.
    package let groups: [MemberGroup]
    /// It is the page of the options of every command.
    package let isOfOptions: Bool

    package init(
        name: String,
        aliases: [String] = [],
        summary: String,
        examples: [Example] = [],
        discussion: String = "",
        parameters: [Parameter] = [],
        groups: [MemberGroup] = [],
        isOfOptions: Bool = false
    ) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        self.examples = examples
        self.discussion = discussion
        self.parameters = parameters
        self.groups = groups
        self.isOfOptions = isOfOptions
    }

    /// The page of the options of every command.
    package static func ofOptions(_ options: [Parameter], examples: [Example]) -> CommandHelp {
        CommandHelp(
            name: "dex <command>",
            summary: "The options of every command, before its name or after it.",
            examples: examples,
            discussion:
                "Beside them, --help or -h shows a command's help, and --version the version.",
            parameters: options,
            isOfOptions: true
        )
    }

    var arguments: [Parameter] { parameters.filter { $0.kind == .argument } }

    /// The options by their titles; a command's own come first.
    var optionSections: [(title: String, options: [Parameter])] {
        let options = parameters.filter { $0.kind != .argument }
        var titles: [String?] = [nil]
        for option in options where !titles.contains(option.section) {
            titles.append(option.section)
        }
        return titles.compactMap { title in
            let members = options.filter { $0.section == title }
            return members.isEmpty ? nil : (title ?? "Options", members)
        }
    }

    /// How it is typed: `dex buy <pair> <amount> [options]`.
    package var usageLine: String { ([name] + usage).joined(separator: " ") }

    /// Where its arguments stand: `<pair> <amount> --price <p> [options]`.
    var usage: [String] {
        let required = parameters.filter { $0.kind != .argument && $0.isRequired }
        let words = (arguments + required).map(\.usage)
        let hasOptions = parameters.contains { $0.kind != .argument && !$0.isRequired }
        return words + (groups.isEmpty ? [] : ["<command>"]) + (hasOptions ? ["[options]"] : [])
    }
}

extension CommandHelp.Parameter {
    /// As a list of options shows it: `-w, --wallet <name|address>`.
    var label: String {
        let names = names.joined(separator: ", ")
        return switch kind {
        case .argument: "<\(value)>"
        case .option: "\(names) <\(value)>"
        case .flag: names
        }
    }

    /// As the usage line shows it: `[<token> ...]`.
    fileprivate var usage: String {
        let longest = names.max { $0.utf8.count < $1.utf8.count }
        let word = [longest, kind == .flag ? nil : "<\(value)>"].compactMap(\.self)
            .joined(separator: " ")
        let repeated = isRepeating && kind == .argument ? "\(word) ..." : word
        return isRequired ? repeated : "[\(repeated)]"
    }
}
