import ArgumentParser
import DexTerminal
import StrictJSON

/// Prints the manual pages, for `make install`; users do not type this command.
struct ManualCommand: DexCommand {
    static var answer: Answer? { .manual }
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print a manual page in mdoc, or the names of all.",
        shouldDisplay: false
    )

    @Argument(help: "The page, such as dex-wallet.")
    var page: String?

    @Option(help: .of("day", "The day in its foot, such as 2026-11-23."))
    var date: String?

    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        if let page {
            guard Self.path(of: page) != nil else {
                throw ValidationError("There is no manual page '\(page)'. See dex manual.")
            }
            guard date.flatMap(ManualPage.Day.init(iso:)) != nil else {
                throw ValidationError("A page needs a --date such as 2026-11-23.")
            }
        } else if date != nil {
            throw ValidationError("--date is for a page: name one.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        guard let page, let day = date.flatMap(ManualPage.Day.init(iso:)) else {
            let names = Self.pages
            return CommandReport(data: ["pages": .array(names.map { .string($0) })]) { _ in names }
        }
        // One line less: the console ends the text.
        let text = String(try Self.text(page, day).dropLast())
        return CommandReport(data: ["page": .string(text)]) { _ in [text] }
    }

    /// The names of all pages, without their section.
    static var pages: [String] { paths.map(name) }

    /// `dex`, and what stands below it.
    private static var paths: [CommandPath] { [.root] + CommandPath.root.members }

    private static func name(_ path: CommandPath) -> String { ManualPage.name(of: path.name) }

    /// - Parameter page: One of `pages`; another one gives the page of `dex`.
    static func text(_ page: String, _ day: ManualPage.Day) throws(JSONError) -> String {
        let path = path(of: page) ?? .root
        let help = try CommandHelp(path)
        guard !path.words.isEmpty else {
            let everywhere = ManualPage.Everywhere(options: try GlobalOptions.parameters())
            return ManualPage(help, everywhere: everywhere).text(day: day)
        }
        return ManualPage(help, members: try members(path)).text(day: day)
    }

    private static func path(of page: String) -> CommandPath? {
        paths.first { name($0) == page }
    }

    /// The commands below a group; those of its own groups come in their place.
    private static func members(_ path: CommandPath) throws(JSONError) -> [CommandHelp] {
        var all: [CommandHelp] = []
        for member in path.members {
            let below = try members(member)
            all += below.isEmpty ? [try CommandHelp(member)] : below
        }
        return all
    }
}
