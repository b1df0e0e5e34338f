import Ethereum

/// What policy.toml says of agents, which ask for signatures by `dex mcp`.
package indirect enum AgentRule: Hashable, Sendable {
    /// These rules are not those of policy.toml: its own holder decides.
    case elsewhere
    /// Nothing without a person: the file has no `[mcp]`, or this network is not in it.
    case forbidden(reason: String)
    /// Within these amounts of `[mcp]`, counted by what agents alone signed.
    case limits(Policy)
}

extension Policy.Refusal {
    /// What the rules of `[mcp]` are called, before their key.
    static let agentPrefix = "mcp."

    /// A person may still say yes.
    package var isOfAgents: Bool { rule.hasPrefix(Self.agentPrefix) }
}

extension Policy {
    /// Drops what has only one of the two amounts: it has no limit of `[mcp]`, and does not leave.
    package mutating func keepAssetsWithBothAmounts() {
        let both = Set(perTrade.keys).intersection(perDay.keys)
        perTrade = perTrade.filter { both.contains($0.key) }
        perDay = perDay.filter { both.contains($0.key) }
    }

    /// The rules of `[mcp]` on what an agent asks for; none for everything else.
    ///
    /// - Parameters:
    ///   - lines: of the audit log, those of agents and others.
    ///   - since: 24 hours ago, in seconds since 1970.
    ///   - slot: of transactions that this one replaces.
    /// - Returns: the rules that were checked, for the log.
    /// - Throws: `Refusal` with `mcp.` before its rule.
    func decideForAgent(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        lines: [AuditLine],
        since: UInt64,
        besides slot: String? = nil
    ) throws(Refusal) -> [String] {
        guard let origin = request.terms.origin, !origin.isApproved else { return [] }
        let limits: Policy
        switch agents {
        case .elsewhere: return []
        case .forbidden(let reason):
            throw Refusal(rule: Refusal.agentPrefix + "networks", reason: reason)
        case .limits(let some): limits = some
        }
        do throws(Refusal) {
            // An agent signs orders and transactions of its plans, and nothing else.
            switch request.content {
            case .transaction, .order, .permit: break
            case .message, .typedData:
                throw Refusal(rule: "messages", reason: "agents sign no messages")
            }
            let own = SpendingLedger(ofAgents: lines, since: since)
            return try limits.decide(request, effects, ledger: own, besides: slot)
                .map { Refusal.agentPrefix + $0 }
        } catch {
            throw Refusal(rule: Refusal.agentPrefix + error.rule, reason: error.reason)
        }
    }

    /// A limit of `[mcp]` counts days for what an agent asks for.
    func countsAgentDays(_ origin: PlanOrigin?) -> Bool {
        guard let origin, !origin.isApproved, case .limits(let limits) = agents else {
            return false
        }
        return limits.countsDays
    }
}

extension SpendingLedger {
    /// What agents alone signed.
    ///
    /// - Parameters:
    ///   - lines: of the audit log, those of agents and others.
    ///   - since: 24 hours ago, in seconds since 1970.
    package init(ofAgents lines: [AuditLine], since: UInt64) {
        self.init(lines.filter { $0.event != .authorized || $0.isOfAgent }, since: since)
    }
}
