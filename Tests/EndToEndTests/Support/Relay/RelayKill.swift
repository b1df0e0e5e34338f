import DexTestSupport
import Foundation

/// How a relay, or what it writes to, is ended while orders are posted.
enum RelayKill: Sendable, CustomStringConvertible {
    /// SIGKILL before its n-th step towards the store since its start.
    case step(Int)
    /// SIGKILL in the middle of it.
    case torn(Int)
    /// SIGKILL so many thousandths of a usual start's time after its start.
    case moment(Int)
    /// PostgreSQL crashes and is started again, then SIGKILL.
    case databaseCrash
    /// One of PostgreSQL's processes for clients gets SIGKILL, then the relay.
    case backendKilled

    var description: String {
        switch self {
        case .step(let number): "killed before step \(number)"
        case .torn(let number): "killed within step \(number)"
        case .moment(let part): "killed after \(part) thousandths of a start"
        case .databaseCrash: "killed after a crash of the database"
        case .backendKilled: "killed after one of the database's processes"
        }
    }

    /// What makes it happen to the process; empty if it comes from outside.
    ///
    /// - Parameter place: the variable that says which writes count, and its value.
    func environment(_ place: (name: String, value: String)) -> [String: String] {
        let fault: (kind: DiskCase.Kind, step: Int)
        switch self {
        case .step(let number): fault = (.kill, number)
        case .torn(let number): fault = (.tear, number)
        case .moment, .databaseCrash, .backendKilled: return [:]
        }
        return [
            "LD_PRELOAD": DiskCase.library.path, "DEX_FAULT_KIND": fault.kind.rawValue,
            "DEX_FAULT_STEP": "\(fault.step)", place.name: place.value,
        ]
    }
}

/// The kills of one kind of store: in `make test` some by the seed, in `make test-all` all.
struct RelayKills: Sendable {
    /// Each on an empty store.
    let young: [RelayKill]
    /// One after another on one store, which grows.
    let grown: [RelayKill]

    static func sqlite(_ settings: KillSettings) -> RelayKills {
        var random = SeededGenerator(seed: settings.seed)
        let steps = (1...100).map { RelayKill.step($0) }
        let torn = (1...50).map { RelayKill.torn($0) }
        let moments = (0..<60).map { _ in RelayKill.moment(random.below(3_000)) }
        guard !settings.isComplete else {
            return RelayKills(young: steps, grown: steps + torn + moments)
        }
        return RelayKills(
            young: some(3, of: steps, &random),
            grown: some(4, of: steps, &random) + some(2, of: torn, &random)
                + some(3, of: moments, &random)
        )
    }

    static func postgres(_ settings: KillSettings) -> RelayKills {
        var random = SeededGenerator(seed: settings.seed &+ 1)
        let early = (1...60).map { RelayKill.step($0) }
        let steps = (1...110).map { RelayKill.step($0) }
        let torn = (1...40).map { RelayKill.torn($0) }
        let moments = (0..<60).map { _ in RelayKill.moment(random.below(3_000)) }
        let crashes = (0..<30).map {
            $0.isMultiple(of: 2) ? RelayKill.databaseCrash : .backendKilled
        }
        guard !settings.isComplete else {
            return RelayKills(young: early, grown: steps + torn + moments + crashes)
        }
        return RelayKills(
            young: some(2, of: early, &random),
            grown: some(3, of: steps, &random) + some(2, of: torn, &random)
                + some(3, of: moments, &random) + [.databaseCrash, .backendKilled]
        )
    }

    private static func some(
        _ count: Int,
        of kills: [RelayKill],
        _ random: inout SeededGenerator
    ) -> [RelayKill] {
        Array(kills.shuffled(using: &random).prefix(count))
    }
}
