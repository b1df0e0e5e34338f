import Ethereum
import Glibc

extension SigningError {
    /// The code of what an agent may do only with a person.
    package static let personCode = "needs-person"

    /// The words of each error; external texts in them are not sanitized yet.
    package var words: Reported {
        switch self {
        case .interrupted:
            Reported(.interrupted, "interrupted", "Interrupted before anything was signed.")
        case .wrongSignature:
            Reported(
                .key,
                "wrong-signature",
                "The signature was not made by the account; it was not used."
            )
        case .highS:
            Reported(
                .key,
                "high-s",
                "The signature has a high s value, which Ethereum refuses; it was not used."
            )
        case .auditFile(let path, let action, let code):
            Reported(
                .configuration,
                "audit-log",
                "The audit log \(path) cannot be \(action) (\(String(cString: strerror(code)))); "
                    + "nothing is signed without it.",
                hint:
                    "Check the folder's permissions and the disk's free space. A log that was moved "
                    + "away while a key is unlocked begins anew with: dex lock, dex unlock"
            )
        case .auditDamaged(let path, let what):
            Reported(
                .configuration,
                "audit-log",
                "The audit log \(path) is damaged: \(what). The limits of a day cannot be counted "
                    + "without it, so nothing is signed.",
                hint: "Look at the line, and move the file away if its last 24 hours do not matter."
            )
        case .wrongChain(let transaction, let node):
            Reported(
                .configuration,
                "wrong-chain",
                SignerError.wrongChain(transaction: transaction, node: node).description
            )
        case .listInLegacy:
            Reported(.key, "signer-refused", "A legacy transaction cannot carry an access list.")
        case .signer(let error):
            Reported(.key, "signer-refused", error.description)
        case .looksLikeAHash(let reason):
            Reported(
                .refused,
                "looks-like-a-hash",
                "A message of exactly 32 bytes, or of their digits, is not signed: "
                    + "\(reason).",
                hint: "Nothing was signed. Sign a message of another length; dex place-limit signs "
                    + "orders."
            )
        case .foreignPermit(let reason):
            Reported(
                .refused,
                "foreign-permit",
                "A Permit2 message is signed only for the swap API's own contracts: \(reason).",
                hint: "Nothing was signed. Trade without --permit2, or at the book: --via book"
            )
        case .openGrant(let reason):
            Reported(
                .refused,
                "open-grant",
                "No signature gives tokens to a contract that acts for any caller: \(reason).",
                hint: "Nothing was signed. Whoever has such a signature could take the tokens; an "
                    + "allowance is given inside the token, by a transaction."
            )
        case .otherChain(let reason):
            Reported(
                .refused,
                "other-chain",
                "Typed data is signed only for the chain of the network in use: \(reason).",
                hint:
                    "Nothing was signed. If it is meant, name that chain's network: --network NAME"
            )
        case .needsPerson(let rule, let reason):
            Reported(
                .refused,
                SigningError.personCode,
                "The rule \(rule) of policy.toml lets agents do this only with a person: "
                    + "\(reason).",
                hint: "Nothing was signed. A person can say yes: dex approve"
            )
        case .policy(let rule, Policy.unlockSource, let reason):
            Self.unlockRefusal(rule, reason)
        case .policy(let rule, let source, let reason):
            Reported(
                .refused,
                "policy",
                "The rule \(rule) of \(source) forbids this: \(reason).",
                hint: "Nothing was signed. If it is meant, change the rule first."
            )
        case .noKey(let address):
            Reported(
                .key,
                "no-key",
                "There is no key for \(address.checksummed), so it cannot sign."
            )
        case .otherSigner(let name, let address, let advice):
            Reported(
                .key,
                "wrong-signature",
                "The signature of \(name) was not made by \(address.checksummed) over what "
                    + "was asked for; it was not used.",
                hint: advice
            )
        case .noTypedData(let name, let method, let network, let advice):
            Reported(
                .key,
                "no-typed-data",
                "\(name) has no \(method), and the network "
                    + "\(network) is set to sign the hashes of orders themselves "
                    + "(EIP-712).",
                hint: advice
            )
        case .noPermit(let name, let method):
            Reported(
                .key,
                "no-typed-data",
                "\(name) has no \(method), which a Permit2 message needs.",
                hint: "Trade without --permit2: the AllowanceHolder needs no second signature."
            )
        case .noTypedMessage(let name, let method):
            Reported(
                .key,
                "no-typed-data",
                "\(name) has no \(method), so it cannot sign typed data.",
                hint: "Sign it with a wallet of dex: --wallet NAME"
            )
        case .changedTransaction(let name, let changes):
            Reported(
                .key,
                "changed-transaction",
                "\(name) signed another transaction than it was asked for: "
                    + "\(changes.joined(separator: ", ")) changed. It was not used.",
                hint: "Whoever has that transaction can send it: look at what \(name) did."
            )
        case .badAnswer(let name, let reason):
            Reported(
                .key,
                "bad-signer-answer",
                "\(name) gave an answer that cannot be used: \(reason)."
            )
        case .signerRefused(let name, let reported):
            Reported(.key, "signer-refused", "\(name) did not sign: \(reported)")
        case .declined(let name, let reported):
            Reported(.declined, "declined", "\(name) declined to sign: \(reported)")
        case .agentSilent(let address):
            Reported(
                .key,
                "agent-silent",
                "The unlocked key of \(address.checksummed) gave no answer that can be "
                    + "used.",
                hint: "Lock it, and unlock it again: dex lock"
            )
        case .notLocked(let address, let process):
            Reported(
                .key,
                "not-locked",
                "The agent (process \(process)) of \(address.checksummed) does "
                    + "not end.",
                hint: "End it yourself: kill -9 \(process)"
            )
        case .noAgentSignature(let address):
            Reported(
                .key,
                "agent-silent",
                "The unlocked key of \(address.checksummed) gave no signature.",
                hint: "Lock it, and unlock it again: dex lock"
            )
        case .agentGone(let address):
            Reported(
                .key,
                "agent-gone",
                "The key of \(address.checksummed) was locked meanwhile; nothing was signed.",
                hint: "Unlock it again: dex unlock"
            )
        case .alreadyUnlocked(let address):
            Reported(
                .key,
                "already-unlocked",
                "The key of \(address.checksummed) is unlocked already.",
                hint: "Lock it first: dex lock"
            )
        case .exposedAgent(let folder):
            Reported(
                .configuration,
                "exposed-agent",
                "Others than you may get into \(folder), where unlocked keys are reached.",
                hint: "Close it first: chmod 700 \(folder)"
            )
        case .agentSocket(let path, let what, let code):
            Reported(
                .configuration,
                "agent-socket",
                "The socket \(path) of an unlocked key \(what): \(String(cString: strerror(code)))."
            )
        case .agentRefused(let reason):
            Reported(
                .refused,
                "agent-refused",
                "The unlocked key does not sign this: \(reason).",
                hint: "Unlock it for more, or lock it, to be asked for the password: dex lock"
            )
        case .agentQuestion(let reason):
            Reported(
                .key,
                "agent-question",
                "The unlocked key does not understand what it is asked: \(reason).",
                hint: "Lock it and unlock it again: dex lock"
            )
        case .command(let name, let what, let code):
            Reported(
                .configuration,
                "signer-command",
                "The command of \(name) cannot be started: \(what): "
                    + "\(String(cString: strerror(code))).",
                hint: "Correct signers.\(name).command."
            )
        case .timeout(let name, let seconds):
            Reported(
                .key,
                "signer-timeout",
                "\(name) did not answer within \(seconds) s, and was ended.",
                hint: "A longer time is set by signers.\(name).timeout, in seconds."
            )
        case .longAnswer(let name, let maximum):
            Reported(
                .key,
                "bad-signer-answer",
                "\(name) wrote more than \(maximum) bytes; it was ended."
            )
        case .unknownNetwork(let network):
            Reported(
                .configuration,
                "unknown-network",
                "The settings no longer have the network \(network)."
            )
        case .unreachable(let name, let place, let reason):
            Reported(
                .unreachable,
                "signer-unreachable",
                "\(name) at \(place) gave no usable answer: \(reason)."
            )
        case .reported(let reported): reported
        }
    }

    /// What an unlocked key refuses, by the option that set the limit: no file has its rules.
    private static func unlockRefusal(_ rule: String, _ reason: String) -> Reported {
        let option: String? =
            switch rule.prefix(while: { $0 != "." }) {
            case "max_fee": "--max-gas-cost"
            case "max_tip": "--max-tip"
            case "max_per_trade", "tokens": "--max"
            case "max_per_day": "--max-day"
            case "spenders": "--contract"
            case "networks": "--also-network"
            default: nil
            }
        return Reported(
            .refused,
            "policy",
            (option.map { "The option \($0)" } ?? "The rule \(rule)")
                + " of dex unlock forbids this: \(reason).",
            hint: "Nothing was signed. If it is meant, unlock it with other limits: dex lock, then "
                + "dex unlock" + (option.map { " \($0) ..." } ?? "")
        )
    }
}
