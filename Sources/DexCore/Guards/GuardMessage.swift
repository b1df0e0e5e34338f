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
    package static func bytes(_ guardOrder: JournalGuard) -> [UInt8]? {
        guard let terms = guardOrder.terms else { return nil }
        let texts = [guardOrder.pairName, guardOrder.amount, guardOrder.price, guardOrder.limit]
        guard texts.allSatisfy({ PlainText.clean($0) == $0 }) else { return nil }
        let decimals = { (number: UInt8?) in number.map { "\($0) decimals" } ?? "raw units" }
        let lines = [
            "chain: \(guardOrder.chainID)",
            "exchange: \(guardOrder.exchange.checksummed)",
            "account: \(guardOrder.account.checksummed)",
            "pair: \(guardOrder.pairName)",
            "base: \(guardOrder.pair.base.checksummed), \(decimals(terms.baseDecimals))",
            "quote: \(guardOrder.pair.quote.checksummed), \(decimals(terms.quoteDecimals))",
            "side: \(guardOrder.side.rawValue)",
            "amount: \(guardOrder.amount), \(terms.amount) base units",
            "trigger: \(guardOrder.trigger.rawValue) \(guardOrder.price), "
                + "\(terms.price.quote)/\(terms.price.base)",
            "limit: \(guardOrder.limit), \(terms.limit.quote)/\(terms.limit.base)",
            "slippage: \(guardOrder.slippage)",
            "added: \(guardOrder.created)",
            "number: \(terms.nonce.hex)",
        ]
        return Array((Self.prefix + lines.joined(separator: "\n")).utf8)
    }

    /// The message's first line, which no other message that `dex` signs begins with.
    static let prefix = SigningRequest.guardPrefix

    /// The key of the guard's account signed exactly these terms.
    static func isConfirmed(
        _ guardOrder: JournalGuard,
        by key: Address,
        _ recoverer: any SignatureRecovering
    ) -> Bool {
        guard guardOrder.account == key, let message = bytes(guardOrder),
            let signature = guardOrder.signature
        else {
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
