package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows the relay's pairs, with the figures of each if they were read.
package typealias PairsView = StateView<PairsState>

extension StateView<PairsState> {
    package func lines(_ screen: Screen) -> [String] {
        ReadJSON.pair.lines(ReadJSON.listedPairs(state), screen) + [""]
            + screen.sentences(
                "\(NumberText.count(state.rows.count, "pair")) \(place)."
                    + (state.hasFigures ? figuresNote : ""),
                .dim
            ) + state.warnings.flatMap { screen.warning($0) }
    }

    private var place: String {
        state.source == .pools
            ? "of the chain's hubs with Uniswap pools" : "on \(TerminalText.clean(state.relay))"
    }

    private var figuresNote: String {
        state.source == .pools
            ? " Depth is within 2 % of the best price; the volume is that of 24 hours at the "
                + "pools and the exchange."
            : " Depth is within 2 % of the best price; the volume is that of 24 hours."
    }
}
