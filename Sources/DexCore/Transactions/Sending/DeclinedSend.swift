import Ethereum

/// A transaction that no node took: it is signed and in the journal, and waits nowhere.
package struct DeclinedSend: Hashable, Sendable {
    /// A node's words, in quotes.
    package let words: String
    /// The command that mends it: `dex tx speedup 0x...`.
    package let remedy: String

    /// What happened, and the command that mends it.
    ///
    /// Example: `No node took it: "txpool is full". It is in the journal, and may still be sent ...`
    func sentence(_ subject: String) -> String {
        "No node took \(subject): \(PlainText.sentence(words)) It is in the journal, and may still be "
            + "sent and mined. Mend it with `\(remedy)`."
    }
}

extension DeclinedSend {
    /// The command is one that helps: words about the price are answered with a higher one.
    ///
    /// - Parameters:
    ///   - words: a node's, in quotes.
    ///   - transaction: what it did not take.
    ///   - market: the fee that a new transaction would pay by the nodes' reports; nil if they
    ///     report none.
    ///   - base: of the next block; nil if there is none, or it is not reported.
    init(
        _ words: String,
        _ hash: TransactionHash,
        _ transaction: Transaction,
        market: Transaction.Fee?,
        base: Wei?
    ) {
        self.words = words
        let text = words.lowercased()
        let isAboutPrice = ["underpriced", "gas price", "gasprice", "fee", "tip", "minimum needed"]
            .contains { text.contains($0) }
        guard isAboutPrice else {
            remedy = "dex resume"
            return
        }
        let paid = transaction.maximumGasPrice
        let needed = Self.minimum(in: text)
        let isTip = Self.namesTip(text) && transaction.fee.tip != nil
        // A speed-up pays what the nodes report, and at least a tenth more.
        let raised = (try? ReplacementFees.raised(paid)) ?? paid  // nil: beyond 256 bits
        var offered = market.map { max($0.maximum, raised) } ?? raised
        var flag = ""
        if let needed {
            let tip = market?.tip ?? .zero
            if isTip, tip < needed {
                // Above what the nodes report of others; nil: beyond 256 bits.
                let minimum = transaction.fee.tip.flatMap { try? ReplacementFees.raised($0) }
                let own = max(needed, minimum ?? needed)
                flag = " --priority-fee \(DecimalText.format(own.rawValue, decimals: 9))"
                let doubled = (base ?? .zero).multiplied(by: 2) ?? Wei(.max)
                offered = max(raised, doubled.adding(own) ?? Wei(.max))
            } else if !isTip, offered < needed {
                remedy = "dex resume --rpc URL"
                return
            }
        }
        let maximum = UInt256.mulDiv(paid.rawValue, UInt256(ReplacementFees.maximumPercent), 100)
        let isBeyond = Wei(maximum?.quotient ?? .max) < max(offered, needed ?? .zero, base ?? .zero)
        remedy = "dex tx speedup \(hash)\(flag)" + (isBeyond ? " --beyond-limits" : "")
    }

    /// The words are about the tip: geth's `gas tip cap`, Reth's `priority fee`, and no `multiple`.
    private static func namesTip(_ text: String) -> Bool {
        text.contains("priority fee") || text.contains("priorityfee")
            || text.split { !$0.isLetter }.contains("tip")
    }

    /// The price of a unit of gas that a node asks for at least: geth's `minimum needed 25000000000`
    /// or `tip needed 25000000000`.
    static func minimum(in text: String) -> Wei? {
        for mark in ["minimum needed", "tip needed", "minimum gas price", "at least", "minimum"] {
            guard let range = text.firstRange(of: mark) else { continue }
            let digits = text[range.upperBound...].drop { !$0.isASCII || !$0.isNumber }
                .prefix { $0.isASCII && $0.isNumber }
            // Less than a million wei is no price, but another number.
            if let number = UInt256(decimal: String(digits)), number >= 1_000_000 {
                return Wei(number)
            }
        }
        return nil
    }
}
