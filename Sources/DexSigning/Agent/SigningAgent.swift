package import Ethereum
package import StrictJSON
import ZeroEx

/// An unlocked key: answers requests on the socket and writes the audit log.
///
/// Its grant and policy.toml alone decide what is signed, not the identity of the client.
package struct SigningAgent: Sendable {
    package let grant: AgentGrant
    private let key: any KeyHolder
    /// Signatures since the key was unlocked, for the limits of the grant.
    private let granted = MemoryAuditLog()
    /// The audit log.
    private let log: any AuditLog
    private let rules: Rules
    private let recoverer: any SignatureRecovering
    /// Milliseconds of a clock that includes the machine's sleep.
    private let clock: @Sendable () -> UInt64
    /// Seconds since 1970.
    private let now: @Sendable () -> UInt64
    private let isLocked: Bool
    private let confinement: [String]
    private let end: UInt64

    /// The current rules of policy.toml on a network.
    package typealias Rules =
        @Sendable (AgentGrant.Place) throws(SigningError) -> Policy

    /// - Parameters:
    ///   - rules: read for each question; nothing is signed if that fails.
    ///   - log: the audit log.
    ///   - isLocked: the key's memory never goes to swap.
    ///   - confinement: the rights that the process has given up, for status requests.
    package init(
        grant: AgentGrant,
        key: any KeyHolder,
        rules: @escaping Rules,
        log: any AuditLog,
        isLocked: Bool,
        confinement: [String] = [],
        recoverer: any SignatureRecovering,
        clock: @escaping @Sendable () -> UInt64,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.grant = grant
        self.key = key
        self.rules = rules
        self.log = log
        self.isLocked = isLocked
        self.confinement = confinement
        self.recoverer = recoverer
        self.clock = clock
        self.now = now
        end = clock() + grant.seconds * 1_000
    }

    /// Milliseconds until the key is locked again; 0 from then on.
    package var timeLeft: UInt64 {
        let time = clock()
        return time < end ? end - time : 0
    }

    package func answer(_ question: JSONValue) async -> JSONValue {
        guard question["version"] == .integer(AgentCodec.version) else {
            return AgentCodec.error(.agentQuestion(reason: "it is of another version of dex"))
        }
        switch question["ask"]?.stringValue {
        case "status":
            return [
                "grant": grant.json, "milliseconds": .number(String(timeLeft)),
                "memoryLocked": .bool(isLocked),
                "confinement": .array(confinement.map { .string($0) }),
            ]
        case "sign", "check":
            do throws(SigningError) {
                let signer = try signer(for: question)
                guard question["ask"] == "sign" else {
                    try signer.check(try Self.planned(question))
                    return ["allowed": true]
                }
                let (content, terms, _) = try Self.request(question)
                let signature = try await signer.signature(of: content, terms: terms)
                return ["signature": AgentCodec.signature(signature)]
            } catch {
                return AgentCodec.error(error)
            }
        default:
            return AgentCodec.error(.agentQuestion(reason: "it asks for nothing that is known"))
        }
    }

    private func signer(for question: JSONValue) throws(SigningError) -> AuthorizedSigner {
        guard timeLeft > 0 else { throw .agentRefused(reason: "its time is over") }
        guard let network = question["network"]?.stringValue, let origin = Self.origin(question)
        else { throw Self.unreadable }
        guard let place = grant.places.first(where: { $0.scope.network == network }) else {
            let names = grant.places.map(\.scope.network).joined(separator: ", ")
            throw .agentRefused(reason: "it is unlocked for \(names) only")
        }
        return AuthorizedSigner(
            key: GrantedKey(place, key: key, log: granted, recoverer: recoverer, now: now),
            scope: place.scope,
            policy: try rules(place),
            log: log,
            recoverer: recoverer,
            origin: origin,
            now: now
        )
    }

    private static let unreadable = SigningError.agentQuestion(reason: "it cannot be read")

    private typealias Planned = (
        content: SigningRequest.Content, terms: SigningTerms, replacing: Bool
    )

    /// What is asked about, and what is signed before it, in that order.
    private static func planned(_ question: JSONValue) throws(SigningError) -> [Planned] {
        guard let before = question["before"]?.arrayValue else { throw unreadable }
        var planned: [Planned] = []
        for item in before { planned.append(try request(item)) }
        return planned + [try request(question)]
    }

    private static func request(_ json: JSONValue) throws(SigningError) -> Planned {
        guard let purpose = json["purpose"]?.stringValue,
            let slippage = slippage(json["slippage"]),
            let genuine = AgentCodec.addresses(json["genuine"]),
            let rollupFee = AgentCodec.number(json["rollupFee"] ?? "0"),
            let content = AgentCodec.content(json["content"])
        else { throw unreadable }
        // The fee token is the network's, not the client's claim. Which contracts are the swap
        // venue's is a claim: amounts hold whatever they are, by the bytes that are signed. What a
        // rollup takes beside the gas is one too: it can only add to what counts.
        let terms = SigningTerms(
            purpose: String(purpose.prefix(64)),
            slippage: slippage,
            genuine: genuine,
            firedGuard: json["guard"]?.stringValue.flatMap(Bytes32.init(ifHex:)),
            rollupFee: Wei(rollupFee)
        )
        return (content, terms, json["replacing"]?.boolValue ?? false)
    }

    /// The plan of `dex mcp` that a question is for: a claim that only narrows.
    ///
    /// `.some(nil)` for a command of the user's, nil for an unreadable one.
    private static func origin(_ question: JSONValue) -> PlanOrigin?? {
        let (word, plan) = (question["origin"], question["plan"])
        if word?.isNull != false, plan?.isNull != false { return .some(nil) }
        return PlanOrigin(
            word: word?.stringValue,
            plan: plan?.stringValue.flatMap(PlanOrigin.plan)
        ).map { .some($0) }
    }

    /// A market order's slippage by the client's claim, in hundredths of a percent.
    ///
    /// The signed bytes do not contain it. `.some(nil)` without a claim, nil for an unreadable one.
    private static func slippage(_ json: JSONValue?) -> UInt64?? {
        guard let json, !json.isNull else { return .some(nil) }
        return AgentCodec.number(json)?.uint64.map { .some($0) }
    }
}
