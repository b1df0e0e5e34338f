import ArgumentParser
import DexCore
import DexNetwork
import DexSettings
import DexTerminal
import RelayHost
import StrictJSON

struct RelayStatsCommand: DexCommand {
    static var answer: Answer? { .relayStats }
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Ask a running relay for its figures: book, watcher, posts, connections."
    )
    static let examples: Examples = [
        "The relay on this machine": "dex relay stats",
        "Another one": "dex relay stats --url http://127.0.0.1:3000",
    ]

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
            throw RelayUseError.silent(url: base, reason: error.description)
        }
        guard response.isSuccess else {
            throw RelayUseError.refused(url: base, status: response.status)
        }
        guard let figures = RelayFigures(String(decoding: response.body, as: UTF8.self)) else {
            throw RelayUseError.otherProgram(url: base)
        }
        let reasons = figures.isReady ? [] : await reasons(base, context)
        let view = RelayStatsView(
            figures: figures,
            reasons: reasons,
            names: await names(base, context),
            url: PlainText.origin(of: base)
        )
        return CommandReport(data: view.json, lines: { view.lines($0) })
    }

    /// Why the relay is not ready, in its words; none if it does not say.
    private func reasons(_ base: String, _ context: CommandContext) async -> [String] {
        let answer = await read("\(base)/readyz", context)
        return answer?["reasons"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The names of the pairs that the relay carries, by their label: `ZRX/WETH`.
    private func names(_ base: String, _ context: CommandContext) async -> [String: String] {
        let tokens = await read("\(base)/relay.json", context)?["tokens"]?.arrayValue ?? []
        let symbols = tokens.reduce(into: [String: String]()) { symbols, token in
            guard let address = token["address"]?.stringValue else { return }
            symbols[address] = token["symbol"]?.stringValue
        }
        let markets = await read("\(base)/markets.json", context)?["markets"]?.arrayValue ?? []
        return markets.reduce(into: [:]) { names, market in
            guard let base = market["base"]?.stringValue, let quote = market["quote"]?.stringValue
            else { return }
            let name = "\(symbols[base] ?? base)/\(symbols[quote] ?? quote)"
            // A label has the tokens by address.
            names[[base, quote].sorted().joined(separator: "/")] = name
        }
    }

    /// A further answer of the relay, whatever its status; the figures stand without it.
    private func read(_ url: String, _ context: CommandContext) async -> JSONValue? {
        // nil: no answer, or no JSON.
        guard let answer = try? await context.transport().send(HTTPRequest(.get, url: url)) else {
            return nil
        }
        return try? JSONParser.parse(answer.body)  // nil: no JSON
    }

    private func base(_ context: CommandContext) throws(DexError) -> String {
        if let url {
            guard WebAddress.isValid(url) else {
                throw SetupError.badURL(source: "--url", isFlag: true)
            }
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        return settings.listen.localURL(port: settings.listen.port)
    }
}
