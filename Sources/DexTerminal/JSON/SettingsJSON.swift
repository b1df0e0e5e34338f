package import DexCore
import Ethereum
import StrictJSON

/// The `data` of commands that change settings.
package enum SettingsJSON {
    /// A token that is added to the user's own list.
    package struct Addition: Sendable {
        let state: TokenAdditionState
        /// The path of the list's file.
        let list: String
        /// The file is made.
        let isNew: Bool

        package init(_ state: TokenAdditionState, list: String, isNew: Bool) {
            self.state = state
            self.list = list
            self.isNew = isNew
        }
    }

    package static let addition = Fields<Addition> {
        Field("network", "The network") { ExactText($0.state.network) }
        Field("token", "As it will be known", \.state.token)
        Field("contractSymbol", "The contract's own, or null", \.state.ownSymbol)
        Field("supply", "How much there is of it") { $0.state.token.amount($0.state.supply) }
        Field("balance", "Of the account; null without one") {
            $0.state.token.amount($0.state.balance)
        }
        Field("block", "The latest block", \.state.block)
        Field("copies", "Known tokens whose symbols it has or looks like", \.state.copied)
        Field("list", "The file") { ExactText($0.list) }
        Field("isNewList", "The file is made", \.isNew)
    }
}
