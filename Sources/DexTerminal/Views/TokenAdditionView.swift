package import DexCore
import Ethereum

/// Shows a token that is to be added to the user's own list.
package struct TokenAdditionView: Sendable {
    private let state: TokenAdditionState
    private let list: String
    private let isNew: Bool

    /// - Parameters:
    ///   - list: the path of the list's file.
    ///   - isNew: the file is made.
    package init(_ state: TokenAdditionState, list: String, isNew: Bool) {
        self.state = state
        self.list = list
        self.isNew = isNew
    }

    private var symbol: String { PlainText.name(state.token.symbol) }

    package func lines(_ screen: Screen) -> [String] {
        let token = state.token
        var facts = KeyValueList()
        facts.add("contract", token.address.checksummed)
        facts.add("symbol", symbol, .bold)
        facts.add("name", PlainText.quoted(token.name, limit: 80))
        facts.add("decimals", token.decimals.map { "\($0)" })
        facts.add("supply", NumberText.amount(state.supply, .token(token)))
        facts.add("you hold", state.balance.map { NumberText.amount($0, .token(token)) })
        facts.add("read at", "block \(state.block)")
        facts.add("list", TerminalText.clean(list) + (isNew ? " (new)" : ""))
        return screen.title("Add \(symbol) to the tokens of \(state.network)") + [""]
            + facts.lines(screen) + [""]
            + screen.sentences(
                "Any contract can have any name: compare the address with what the project itself "
                    + "publishes."
            )
            + state.warnings.flatMap { screen.warning($0) }
    }

    package func doneLines(_ screen: Screen) -> [String] {
        screen.sentences(
            "\(symbol) (\(state.token.address.checksummed)) is added to the tokens of "
                + "\(state.network).",
            .green
        )
    }
}
