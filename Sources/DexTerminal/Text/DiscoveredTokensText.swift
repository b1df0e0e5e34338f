import DexCore
import Ethereum

/// Shows tokens of an account that are in no list, which are never priced.
struct DiscoveredTokensText: Sendable {
    let tokens: DiscoveredTokens

    func lines(_ screen: Screen) -> [String] {
        let blocks = "blocks \(tokens.blocks.lowerBound) to \(tokens.blocks.upperBound)"
        guard !tokens.rows.isEmpty else {
            return [""]
                + screen.sentences(
                    "No other token: "
                        + (tokens.contracts == 0
                            ? "no contract reports a transfer to the account in \(blocks)."
                            : "\(NumberText.count(tokens.contracts, "contract")) with transfers to "
                                + "the account in \(blocks), all known or empty now."),
                    .dim
                ) + cut(screen)
        }
        var lines = ReadJSON.discoveredToken.lines(tokens.rows, screen)
        // Each address follows its row, and the marks follow the address.
        for index in tokens.rows.indices.reversed() {
            lines.insert(contentsOf: details(tokens.rows[index], screen), at: index + 2)
        }
        return [""] + lines + [""]
            + screen.sentences(
                "By the logs of \(blocks). Anyone can send worthless tokens; these are not in the "
                    + "value. Add one that you know by its address: dex tokens add ADDRESS"
            ) + cut(screen)
    }

    private func cut(_ screen: Screen) -> [String] {
        guard tokens.isCut else { return [] }
        return screen.warning(
            "\(tokens.contracts) contracts sent tokens to the account, and not all were looked at: "
                + "--from-block with a later block finds the newer ones."
        )
    }

    private func details(_ row: DiscoveredTokens.Row, _ screen: Screen) -> [String] {
        let address = row.token.address.checksummed
        let marks = words(row)
        let texts =
            [address]
            + (marks.isEmpty ? [] : TerminalText.wrap(marks, width: max(1, screen.width - 2)))
        return texts.map { screen.style.paint("  \($0)", .dim) }
    }

    private func words(_ row: DiscoveredTokens.Row) -> String {
        let words = row.marks.map { mark in
            switch mark {
            case .noSymbol: "no symbol"
            case .noDecimals: "no decimals"
            case .lookAlike:
                row.imitates.map { "NOT the known \(PlainText.name($0.symbol))" }
                    ?? "NOT the coin"
            case .link: "names a web page"
            case .knownSpoof: "a known imitation"
            case .neverSent: "never sent"
            case .unreadable: "balance unreadable"
            }
        }
        return words.joined(separator: ", ")
    }
}
