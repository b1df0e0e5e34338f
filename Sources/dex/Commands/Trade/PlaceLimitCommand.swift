import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import ZeroEx

struct PlaceLimitCommand: OperationCommand {
    typealias Model = LimitOrderModel

    static var answer: Answer? { .placeLimit }
    static let configuration = CommandConfiguration(
        commandName: "place-limit",
        abstract: "Build, sign and post a limit order.",
        discussion: """
            The order stands until it is filled, cancelled on chain, or expired. With --no-post \
            it is only printed: hand it to whom you like, who fills it with dex fill. With \
            --no-send it goes into a file, which dex broadcast posts later, here or elsewhere.
            """,
        aliases: ["limit"]
    )
    static let examples: Examples = [
        "Offer 50 ZRX at 0.00076 WETH each for a day": "dex limit sell ZRX/WETH 50 --price 0.00076",
        "Bid for a week": "dex limit buy ZRX/WETH 50 --price 0.0007 --expires 7d",
        "Print the signed order and post it nowhere":
            "dex limit sell ZRX/WETH 50 --price 0.00076 --no-post --json",
    ]
    static let pairPlace: PairPlace? = .afterSide

    @Argument(help: "What you want to do with BASE: buy or sell.")
    var side: TradeSide

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Argument(help: "How much of BASE: 1.5 or 1k; 50% or max of what can be offered.")
    var amount: String

    @Option(help: .of("p", "QUOTE per BASE, or relative to the book: mid-0.1%, bid+1, ask."))
    var price: String

    @Option(help: .of("time", "How long it stands, such as 30m or 7d, or until when (UTC)."))
    var expires: String = "24h"

    @Option(help: .of("address", "Who alone may fill it."))
    var taker: String?

    @Option(
        help: .of("n", "So many orders in even steps from --price to --to; AMOUNT is their sum.")
    )
    var ladder: Int?

    @Option(help: .of("p", "The price of a ladder's last order."))
    var to: String?

    @Flag(help: "Print the signed order, and do not post it.")
    var noPost = false

    @OptionGroup var order: LimitOptions
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var label: TagOption
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        if (ladder == nil) != (to == nil) {
            throw ValidationError("A ladder takes both: --ladder with a number, --to with a price.")
        }
        if order.postOnly, noPost || holding.noSend {
            throw ValidationError(
                "--post-only is for an order that is posted now: leave --no-post and --no-send out."
            )
        }
        if holding.noSend, noPost || ladder != nil {
            throw ValidationError(
                "--no-send writes one order that is posted later: leave --no-post and --ladder out."
            )
        }
    }

    var groups: [any SettingsOptions] { [order, trade, moving, pending, sending, label, holding] }

    var needs: [CommandContext.Need] { noPost ? [.node] : [.relay, .node] }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let settings = try settings(context)
        let request = try request(context)
        if let file = holding.file {
            try file.check()
            return try await context.run(
                LimitOrderModel.self,
                request,
                settings,
                needs: needs,
                kept: { outcome in
                    try file.write(order: outcome.wire, outcome.order.hash)
                    return CommandReport(data: outcome.json(path: file.path)) {
                        outcome.lines($0, path: file.path)
                    }
                }
            )
        }
        guard let ladder, let to else {
            return try await run(LimitOrderModel.self, request, settings, context)
        }
        return try await run(
            LadderModel.self,
            LadderRequest(order: request, to: to, count: ladder),
            settings,
            context
        )
    }

    func request(_ context: CommandContext) throws -> LimitRequest {
        LimitRequest(
            side: side,
            pair: pair,
            amount: amount,
            price: price,
            expiry: try OrderExpiry(expires),
            taker: try taker.map { try Address(party: $0) },
            posts: !noPost
        )
    }
}

/// Durations in the form that users type.
enum Lifetime {
    /// Seconds of `90s`, `30m`, `24h`, `7d`, `2w`, or several: `1d12h`.
    ///
    /// - Throws: `DexError`, exit 2.
    static func seconds(_ text: String) throws(DexError) -> UInt64 {
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        var total: UInt64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = units[character], let count = UInt64(digits) else {
                throw malformed(text)
            }
            let (part, overflow) = count.multipliedReportingOverflow(by: unit)
            let (sum, carry) = total.addingReportingOverflow(part)
            guard !overflow, !carry else { throw malformed(text) }
            total = sum
            digits = ""
        }
        // Ten years: more than any relay keeps an order, and less than a typing error.
        guard digits.isEmpty, (1...315_360_000).contains(total) else { throw malformed(text) }
        return total
    }

    private static func malformed(_ text: String) -> DexError {
        ArgumentError.badDuration(text)
    }
}
