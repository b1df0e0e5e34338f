import DexTestSupport
import Foundation

/// A command that is broken off.
enum KillCommand: String, CaseIterable, Sendable {
    /// With the approval before it.
    case firstBuy = "first market-buy"
    case marketBuy = "market-buy"
    /// At the swap API, which then is the second server; with the approval before it.
    case firstSwap = "first market-buy --via swap"
    /// With the approval before it.
    case placeLimit = "place-limit"
    case approve = "allowance set"
    case cancel
    /// A cancel, and an order behind it.
    case replace

    /// - Parameter order: what is to be cancelled.
    func words(order: String) -> [String] {
        switch self {
        case .firstBuy, .marketBuy: ["market-buy", "--via", "book", "ZRX/WETH", "0.1"]
        case .firstSwap: ["market-buy", "ZRX/WETH", "0.1", "--via", "swap"]
        case .placeLimit: ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01"]
        case .approve: ["allowance", "set", "ZRX", "7"]
        case .cancel: ["cancel", order]
        case .replace: ["replace", order, "--price", "0.02"]
        }
    }

    /// The account has approved both tokens before.
    var isApproved: Bool { self == .marketBuy || needsOrder }
    var needsOrder: Bool { self == .cancel || self == .replace }
    var buys: Bool { self == .firstBuy || self == .marketBuy || self == .firstSwap }
    /// The name in the journal.
    var command: String { words(order: "").prefix(self == .approve ? 2 : 1).joined(separator: " ") }
}

/// How a command is broken off.
enum KillMoment: Hashable, Sendable {
    /// The process is killed, and the request never gets to the server.
    case before
    /// The server does what it is asked, and the process is killed before it gets the answer.
    case unanswered
    /// The process is killed as soon as it has the answer.
    case answered
    /// The server does what it is asked and answers with an error, and the process is killed as soon
    /// as it has that.
    case erred
    /// The server is gone from this request on, which it never gets.
    case serverDies
    /// The server does what it is asked, and is gone without an answer.
    case serverDiesLate

    static let kills = [before, unanswered, answered, erred]
    static let deaths = [serverDies, serverDiesLate]

    var isKill: Bool { Self.kills.contains(self) }
}

/// One moment of one command, and what the user does afterwards.
struct KillCase: Sendable, CustomStringConvertible {
    let command: KillCommand
    let isOfRelay: Bool
    /// The request, counted from 0.
    let step: Int
    let moment: KillMoment
    /// The user repeats the command before `dex resume`.
    let isRepeated: Bool

    var description: String {
        "\(command.rawValue), \(isOfRelay ? "relay" : "node"), request \(step + 1), \(moment)"
            + (isRepeated ? ", repeated first" : "")
    }

    /// Every moment of every request.
    static func all(
        _ command: KillCommand,
        _ moments: [KillMoment],
        node: Int,
        relay: Int
    ) -> [KillCase] {
        [(false, node), (true, relay)].flatMap { isOfRelay, count in
            (0..<count).flatMap { step in
                moments.flatMap { moment in
                    [false, true].map { isRepeated in
                        KillCase(
                            command: command,
                            isOfRelay: isOfRelay,
                            step: step,
                            moment: moment,
                            isRepeated: isRepeated
                        )
                    }
                }
            }
        }
    }

    /// What becomes of a request to the server that it is about.
    func decide(_ number: Int, kill: @escaping @Sendable () -> Void) -> Interposer.Decision {
        switch moment {
        case .before where number == step: .take { _ in kill() }
        case .unanswered where number == step: .replace { _, _ in kill() }
        case .answered where number == step:
            .replace { connection, genuine in
                connection.write(genuine)
                kill()
            }
        case .erred where number == step:
            .replace { [isOfRelay] connection, _ in
                connection.write(FaultKind.error(isOfRelay: isOfRelay))
                kill()
            }
        case .serverDies where number >= step: .die
        case .serverDiesLate where number == step: .replace { _, _ in }
        case .serverDiesLate where number > step: .die
        default: .pass
        }
    }
}
