import DexCore
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON

/// An unlocked key as text and as JSON.
struct UnlockedView: Sendable {
    let grant: AgentGrant
    let name: String?
    /// Until it is locked.
    var seconds: UInt64
    let isMemoryLocked: Bool
    /// The rights that its process has given up (`AgentConfinement`).
    let confinement: [String]

    static func report(_ keys: [UnlockedView]) -> CommandReport {
        let warnings = keys.filter { !$0.isMemoryLocked }.map { key in
            "The memory of the key of \(key.grant.account.checksummed) may be written to swap: the "
                + "system allows no more locked memory (ulimit -l)."
        }
        return CommandReport(
            data: ["unlockedKeys": .array(keys.map(\.json))],
            warnings: warnings
        ) { screen in
            keys.isEmpty ? ["Nothing is unlocked."] : keys.flatMap { $0.lines(screen) }
        }
    }

    private func lines(_ screen: Screen) -> [String] {
        let address = grant.account.checksummed
        let label = name.map { "\($0) (\(address))" } ?? address
        var facts = KeyValueList()
        for place in grant.places {
            let policy = place.policy
            facts.add("network", place.scope.network)
            let contracts = policy.spenders?.sorted().map(\.checksummed).joined(separator: ", ")
            facts.add("contracts", contracts ?? "any")
            facts.add("max gas cost", policy.maximumFee.map { policy.text($0.rawValue, .ether) })
            facts.add("max tip", policy.maximumTip.map { "\(Self.gwei($0.tip)) gwei" })
            facts.add("at once", list(policy.perTrade, policy) ?? (isOpen(policy) ? "any" : nil))
            facts.add("in 24 hours", list(policy.perDay, policy))
        }
        facts.add("confined", confinement.isEmpty ? "no" : confinement.joined(separator: ", "))
        let title = "\(label) is unlocked for \(TimeSpan.text(seconds))."
        return screen.sentences(title) + facts.lines(screen)
    }

    private func isOpen(_ policy: Policy) -> Bool {
        policy.perTrade.isEmpty && policy.perDay.isEmpty
    }

    private func list(_ amounts: [Asset: UInt256], _ policy: Policy) -> String? {
        let texts = amounts.sorted { $0.key.text < $1.key.text }.map { policy.text($1, $0) }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func gwei(_ price: Wei) -> String {
        DecimalText.format(price.rawValue, decimals: 9)
    }

    private var json: JSONValue {
        [
            "address": JSONFormat.address(grant.account), "name": JSONFormat.text(name),
            "seconds": JSONFormat.integer(seconds), "memoryLocked": .bool(isMemoryLocked),
            "confinement": .array(confinement.map { .string($0) }),
            "networks": .array(grant.places.map(Self.json)),
        ]
    }

    private static func json(_ place: AgentGrant.Place) -> JSONValue {
        let policy = place.policy
        func limits(_ amounts: [Asset: UInt256]) -> JSONValue {
            .array(
                amounts.sorted { $0.key.text < $1.key.text }.map { policy.json($1, of: $0) }
            )
        }
        var object = JSONObject()
        object["name"] = .string(place.scope.network)
        let contracts = policy.spenders?.sorted()
        object["contracts"] =
            contracts.map { .array($0.map { JSONFormat.address($0) }) } ?? .null
        object["maxGasCost"] = policy.maximumFee.map { JSONFormat.ether($0, policy.coin) } ?? .null
        object["maxTip"] = policy.maximumTip.map { .string($0.tip.description) } ?? .null
        object["maxAmounts"] = limits(policy.perTrade)
        object["maxDayAmounts"] = limits(policy.perDay)
        return .object(object)
    }
}
