package import Ethereum
package import StrictJSON
import ZeroEx

/// An unlocked key for as long as it is unlocked: answers what comes over the socket, within what
/// was granted.
package struct SigningAgent: Sendable {
    package let grant: AgentGrant
    private let key: any KeyHolder
    private let log = MemoryAuditLog()
    private let recoverer: any SignatureRecovering
    /// Milliseconds of a clock that goes on while the machine sleeps.
    private let clock: @Sendable () -> UInt64
    /// Seconds since 1970.
    private let now: @Sendable () -> UInt64
    private let isLocked: Bool
    private let end: UInt64

    /// - Parameter isLocked: the key's memory never goes to swap.
    package init(
        grant: AgentGrant,
        key: any KeyHolder,
        isLocked: Bool,
        recoverer: any SignatureRecovering,
        clock: @escaping @Sendable () -> UInt64,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.grant = grant
        self.key = key
        self.isLocked = isLocked
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

    /// The answer to a message.
    package func answer(_ question: JSONValue) async -> JSONValue {
        guard question["version"] == 1 else {
            return AgentForms.error(Self.bad("it is of another version of dex"))
        }
        switch question["ask"]?.stringValue {
        case "status":
            return [
                "grant": grant.json, "milliseconds": .number(String(timeLeft)),
                "memoryLocked": .bool(isLocked),
            ]
        case "sign", "check":
            do throws(SigningError) {
                guard question["ask"] == "sign" else {
                    let (signer, content, terms) = try granted(question)
                    let replacing = question["replacing"]?.boolValue ?? false
                    try signer.check(content, terms: terms, replacing: replacing)
                    return ["allowed": true]
                }
                let signature = try await signature(question)
                return ["signature": AgentForms.signature(signature)]
            } catch {
                return AgentForms.error(error)
            }
        default: return AgentForms.error(Self.bad("it asks for nothing that is known"))
        }
    }

    private func signature(_ question: JSONValue) async throws(SigningError) -> Signature {
        let (signer, content, terms) = try granted(question)
        switch content {
        case .transaction(let transaction):
            return try await signer.sign(
                transaction,
                chainID: signer.chainID,
                terms: terms
            ).signature
        case .order(let draft): return try await signer.signature(of: draft, terms: terms)
        case .message(let bytes): return try await signer.sign(message: bytes)
        }
    }

    /// What is asked for, and who signs it: what no limit could allow is refused here.
    private func granted(
        _ question: JSONValue
    ) throws(SigningError) -> (AuthorizedSigner, SigningRequest.Content, SigningTerms) {
        guard timeLeft > 0 else { throw Self.refused("its time is over") }
        guard let network = question["network"]?.stringValue,
            let purpose = question["purpose"]?.stringValue,
            let content = AgentForms.content(question["content"])
        else { throw Self.bad("it cannot be read") }
        guard let place = grant.places.first(where: { $0.scope.network == network }) else {
            let names = grant.places.map(\.scope.network).joined(separator: ", ")
            throw Self.refused("it is unlocked for \(names) only")
        }
        let signer = AuthorizedSigner(
            key: key,
            scope: place.scope,
            policy: place.policy,
            log: log,
            recoverer: recoverer,
            now: now
        )
        // The token of fees is the network's: what a client says of it is not believed.
        let terms = SigningTerms(purpose: String(purpose.prefix(64)))
        switch content {
        // Its chain is looked at where it is signed.
        case .transaction: break
        case .order(let draft):
            guard draft.exchange == place.scope.exchange, draft.maker == grant.account else {
                throw Self.refused(
                    "it signs orders of its own account for the exchange of \(network) only"
                )
            }
        case .message(let bytes):
            guard bytes.count != 32 else {
                throw Self.refused(
                    "a message of 32 bytes may be the hash of an order, of which nothing can be "
                        + "seen"
                )
            }
        }
        return (signer, content, terms)
    }

    private static func refused(_ reason: String) -> SigningError {
        SigningError(
            .refused,
            code: "agent-refused",
            "The unlocked key does not sign this: \(reason).",
            hint: "Unlock it for more, or lock it, to be asked for the password: dex lock"
        )
    }

    private static func bad(_ reason: String) -> SigningError {
        SigningError(
            .key,
            code: "agent-question",
            "The unlocked key does not understand what it is asked: \(reason).",
            hint: "Lock it and unlock it again: dex lock"
        )
    }
}
