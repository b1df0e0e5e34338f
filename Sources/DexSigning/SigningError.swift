package import Ethereum

/// The reason why nothing was signed, or why a signature was not used.
package enum SigningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Ctrl-C, or a signal.
    case interrupted
    /// A signature by another key, or malformed.
    case wrongSignature
    /// A signature that the chain would refuse (EIP-2).
    case highS
    case auditFile(path: String, action: String, code: Int32)
    case auditDamaged(path: String, what: String)
    case wrongChain(UInt64?, node: UInt64)
    case listInLegacy
    case signer(SignerError)
    case looksLikeAHash(reason: String)
    /// A Permit2 message that is not for the network's swap venue.
    case foreignPermit(reason: String)
    /// Typed data that gives tokens to a contract that acts for anyone.
    case openGrant(reason: String)
    /// Typed data for another chain than the network's.
    case otherChain(reason: String)
    case policy(rule: String, source: String, reason: String)
    /// A rule of `[mcp]`: an agent may not do it without a person.
    case needsPerson(rule: String, reason: String)
    case noKey(Address)
    case otherSigner(name: String, Address, advice: String?)
    case noTypedData(name: String, method: String, network: String, advice: String?)
    case noPermit(name: String, method: String)
    case noTypedMessage(name: String, method: String)
    case changedTransaction(name: String, changes: [String])
    case badAnswer(name: String, reason: String)
    case signerRefused(name: String, reported: String)
    case declined(name: String, reported: String)
    case agentSilent(Address)
    case notLocked(Address, process: Int32)
    case noAgentSignature(Address)
    case agentGone(Address)
    case alreadyUnlocked(Address)
    case exposedAgent(folder: String)
    case agentSocket(path: String, what: String, code: Int32)
    case agentRefused(reason: String)
    case agentQuestion(reason: String)
    case command(name: String, what: String, code: Int32)
    case timeout(name: String, seconds: UInt64)
    case longAnswer(name: String, maximum: Int)
    case unknownNetwork(String)
    /// - Parameter place: the part of its URL that may be shown.
    case unreachable(name: String, place: String, reason: String)
    /// Words of the agent that refused it, or of the rules that it reads.
    case reported(Reported)

    package enum Kind: Hashable, Sendable {
        /// A rule or a limit forbids it.
        case refused
        /// Our settings or files are not valid.
        case configuration
        /// The key, or its holder, did not sign, or signed something else.
        case key
        /// The user declined.
        case declined
        /// The key holder gave no answer, or an invalid one.
        case unreachable
        /// The user cancelled it.
        case interrupted
    }

    package struct Reported: Hashable, Sendable {
        package let kind: Kind
        /// A stable word for scripts.
        package let code: String
        /// A whole sentence; it may contain external text.
        package let message: String
        package let hint: String?

        package init(_ kind: Kind, _ code: String, _ message: String, hint: String? = nil) {
            self.kind = kind
            self.code = code
            self.message = message
            self.hint = hint
        }
    }

    package var kind: Kind { words.kind }
    package var code: String { words.code }
    package var message: String { words.message }
    package var hint: String? { words.hint }
    package var description: String { message }
}
