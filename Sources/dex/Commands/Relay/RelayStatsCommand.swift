import ArgumentParser
import DexCore
import DexNetwork
import DexSettings
import DexTerminal
import RelayHost

struct RelayStatsCommand: DexCommand {
    static let reportedName = "relay stats"
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Ask a running relay for its figures: book, watcher, posts, connections."
    )

    @Option(help: .of("url", "The relay's base URL (default: where relay.toml lets it listen)."))
    var url: String?

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let base = try base(context)
        let metrics = "\(base)/metrics"
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await context.transport().send(HTTPRequest(.get, url: metrics))
        } catch {
            throw DexError(RelayUseError.silent(url: base, reason: error.description))
        }
        guard response.isSuccess else {
            throw DexError(RelayUseError.refused(url: base, status: response.status))
        }
        guard let figures = RelayFigures(String(decoding: response.body, as: UTF8.self)) else {
            throw DexError(RelayUseError.otherProgram(url: base))
        }
        let view = RelayStatsView(figures: figures, url: PlainText.origin(of: base))
        return CommandReport(data: view.json, lines: { view.lines($0) })
    }

    private func base(_ context: CommandContext) throws(DexError) -> String {
        if let url {
            guard WebAddress.isValid(url) else {
                throw DexError(SetupError.badURL(source: "--url", isFlag: true))
            }
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        return settings.listen.localURL(port: settings.listen.port)
    }
}
