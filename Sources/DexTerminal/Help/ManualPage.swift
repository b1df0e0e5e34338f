/// The manual page of a command, in mdoc: `man dex-wallet`.
package struct ManualPage: Sendable {
    /// A calendar day, which the page's foot shows.
    package struct Day: Sendable {
        private static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        /// `November 23, 2026`.
        let text: String

        /// - Parameter iso: A day such as `2026-11-23`.
        /// - Returns: nil for anything else.
        package init?(iso: String) {
            guard let match = iso.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/),
                let month = Int(match.output.2), (1...12).contains(month),
                let day = Int(match.output.3), (1...31).contains(day)
            else { return nil }
            text = "\(Self.months[month - 1]) \(day), \(match.output.1)"
        }
    }

    private let help: CommandHelp
    /// The commands of a group, each with the groups below it.
    private let members: [CommandHelp]
    /// What is on the page of `dex` only.
    private let everywhere: Everywhere?

    /// What holds for all commands.
    package struct Everywhere: Sendable {
        package let options: [CommandHelp.Parameter]
        /// Variables of the environment, exit codes, and files, with what they mean.
        package let environment: [(name: String, text: String)]
        package let exitCodes: [(name: String, text: String)]
        package let files: [(name: String, text: String)]

        package init(
            options: [CommandHelp.Parameter],
            environment: [(name: String, text: String)],
            exitCodes: [(name: String, text: String)],
            files: [(name: String, text: String)]
        ) {
            self.options = options
            self.environment = environment
            self.exitCodes = exitCodes
            self.files = files
        }
    }

    package init(
        _ help: CommandHelp,
        members: [CommandHelp] = [],
        everywhere: Everywhere? = nil
    ) {
        self.help = help
        self.members = members
        self.everywhere = everywhere
    }

    /// The page's name, without its section: `dex-market-buy`.
    package static func name(of command: String) -> String {
        command.split(separator: " ").joined(separator: "-")
    }

    /// The page in mdoc.
    package func text(day: Day) -> String {
        let name = Self.name(of: help.name)
        var page = ManualText()
        page.macro("Dd", day.text)
        page.macro("Dt", name.uppercased(), "1")
        page.macro("Os")
        page.macro("Sh", "NAME")
        page.macro("Nm", name)
        let summary = help.summary.hasSuffix(".") ? String(help.summary.dropLast()) : help.summary
        page.macro("Nd", ManualText.argument(summary))
        page.macro("Sh", "SYNOPSIS")
        for command in members.isEmpty ? [help] : members { synopsis(command, &page) }
        page.macro("Sh", "DESCRIPTION")
        description(help, &page)
        for member in members {
            page.macro("Ss", ManualText.argument(member.name))
            description(member, &page)
        }
        if let everywhere {
            page.macro("Ss", "Options of every command")
            page.sentences("They stand before the command's name or after it.")
            parameters(everywhere.options, &page)
            table("ENVIRONMENT", "Ev", everywhere.environment, &page)
            table("FILES", "Pa", everywhere.files, &page)
            table("EXIT STATUS", "Er", everywhere.exitCodes, &page)
        }
        var shown: [CommandHelp.Example] = []
        for example in ([help] + members).flatMap(\.examples)
        where !shown.contains(where: { $0.line == example.line }) {
            shown.append(example)
        }
        if !shown.isEmpty {
            page.macro("Sh", "EXAMPLES")
            for (index, example) in shown.enumerated() {
                if index > 0 { page.macro("Pp") }
                page.sentences(example.purpose + ":")
                page.macro("Dl", ManualText.argument("$ " + example.line))
            }
        }
        page.macro("Sh", "SEE ALSO")
        seeAlso(&page)
        return page.lines.joined(separator: "\n") + "\n"
    }

    private func synopsis(_ command: CommandHelp, _ page: inout ManualText) {
        page.macro("Nm", ManualText.argument(command.name))
        for word in command.usage {
            let isOptional = word.hasPrefix("[")
            let inner = isOptional ? String(word.dropFirst().dropLast()) : word
            page.macro(isOptional ? "Op" : "Li", ManualText.argument(inner))
        }
    }

    private func description(_ command: CommandHelp, _ page: inout ManualText) {
        page.sentences(command.summary)
        if !command.aliases.isEmpty {
            let names = command.aliases.map { "dex \($0)" }.joined(separator: ", ")
            page.sentences("Short: \(names).")
        }
        if !command.discussion.isEmpty {
            page.macro("Pp")
            page.paragraphs(command.discussion)
        }
        for group in command.groups where members.isEmpty {
            page.macro("Ss", ManualText.argument(group.title))
            page.macro("Bl", "-tag", "-width", "Ds")
            for member in group.members {
                let name = Self.name(of: command.name + " " + member.names[0])
                page.macro("It", "Xr", name, "1")
                page.sentences(member.summary)
            }
            page.macro("El")
        }
        parameters(command.arguments, &page)
        for section in command.optionSections {
            page.macro("Pp")
            page.sentences(section.title + ":")
            parameters(section.options, &page)
        }
    }

    private func parameters(_ all: [CommandHelp.Parameter], _ page: inout ManualText) {
        guard !all.isEmpty else { return }
        page.macro("Bl", "-tag", "-width", "Ds")
        for parameter in all {
            var words: [String] = []
            for name in parameter.names {
                words += (words.isEmpty ? [] : [","]) + ["Fl", String(name.dropFirst())]
            }
            if parameter.kind != .flag {
                words += ["Ar", ManualText.argument(parameter.value)]
            }
            page.macro("It", words.joined(separator: " "))
            page.sentences(parameter.text)
        }
        page.macro("El")
    }

    private func table(
        _ title: String,
        _ kind: String,
        _ rows: [(name: String, text: String)],
        _ page: inout ManualText
    ) {
        page.macro("Sh", title)
        page.macro("Bl", "-tag", "-width", "Ds")
        for row in rows {
            page.macro("It", kind, ManualText.argument(row.name))
            page.sentences(row.text)
        }
        page.macro("El")
    }

    /// The pages of the commands, or that of `dex`.
    private func seeAlso(_ page: inout ManualText) {
        guard everywhere != nil else { return page.macro("Xr", "dex", "1") }
        let names = help.groups.flatMap(\.members).map {
            Self.name(of: help.name + " " + $0.names[0])
        }
        .sorted()
        for name in names {
            page.macro("Xr", name, name == names.last ? "1" : "1 ,")
        }
    }
}
