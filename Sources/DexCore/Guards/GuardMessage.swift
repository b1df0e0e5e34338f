import DexSigning
package import DexStore
import Ethereum
import ZeroEx

/// The message by whose signature an account's key confirms a guard.
///
/// It has every term, so that a guard whose row in the journal was changed afterwards no longer has
/// a valid signature.
package enum GuardMessage {
    /// The bytes to sign (EIP-191); nil for a guard without terms in base units, or whose texts
    /// could forge a line.
    package static func bytes(_ made: JournalGuard) -> [UInt8]? {
        guard let terms = made.terms else { return nil }
        let texts = [made.pairName, made.amount, made.price, made.limit]
        guard texts.allSatisfy({ PlainText.clean($0) == $0 }) else { return nil }
        let decimals = { (number: UInt8?) in number.map { "\($0) decimals" } ?? "raw units" }
        let lines = [
            "chain: \(made.chainID)",
            "exchange: \(made.exchange.checksummed)",
            "account: \(made.account.checksummed)",
            "pair: \(made.pairName)",
            "base: \(made.pair.base.checksummed), \(decimals(terms.baseDecimals))",
            "quote: \(made.pair.quote.checksummed), \(decimals(terms.quoteDecimals))",
            "side: \(made.side.rawValue)",
            "amount: \(made.amount), \(terms.amount) base units",
            "trigger: \(made.trigger.rawValue) \(made.price), "
                + "\(terms.price.quote)/\(terms.price.base)",
            "limit: \(made.limit), \(terms.limit.quote)/\(terms.limit.base)",
            "slippage: \(made.slippage)",
            "added: \(made.created)",
            "number: \(terms.nonce.hex)",
        ]
        return Array((Self.prefix + lines.joined(separator: "\n")).utf8)
    }

    /// The message's first line, which no other message that `dex` signs begins with.
    static let prefix = SigningRequest.guardPrefix

    /// The key of the guard's account signed exactly these terms.
    static func isConfirmed(
        _ made: JournalGuard,
        by key: Address,
        _ recoverer: any SignatureRecovering
    ) -> Bool {
        guard made.account == key, let message = bytes(made), let signature = made.signature else {
            return false
        }
        // nil: no key's
        let signer = try? recoverer.recover(
            digest: EthereumMessage.hash(message),
            signature: signature
        )
        return signer == key
    }
}
