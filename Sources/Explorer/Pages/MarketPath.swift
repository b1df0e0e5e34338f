import DexCore
import Ethereum

/// The path of a market: `/market/ZRX-WETH?network=sandbox`.
enum MarketPath {
    /// By symbols where they are plain words, else by addresses.
    static func text(_ pair: Pair, network: String, interval: UInt64? = nil) -> String {
        let isPlain = [pair.base, pair.quote].allSatisfy { token in
            (1...20).contains(token.symbol.utf8.count)
                && token.symbol.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte)
                }
        }
        let name =
            isPlain
            ? "\(pair.base.symbol)-\(pair.quote.symbol)"
            : "\(pair.base.address.checksummed)-\(pair.quote.address.checksummed)"
        return "/market/\(name)?network=\(network)" + (interval.map { "&interval=\($0)" } ?? "")
    }

    /// `BASE/QUOTE` of the path's part `BASE-QUOTE`; nil for anything else.
    static func pair(_ part: String) -> String? {
        let sides = part.split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ (1...64).contains($0.utf8.count) }) else {
            return nil
        }
        return "\(sides[0])/\(sides[1])"
    }
}
