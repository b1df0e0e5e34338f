import DexCore
import DexNetwork
import PrivateFiles
import ZeroEx

/// Wires the swap API.
extension CommandContext {
    private static let keyVariable = "DEX_ZEROEX_API_KEY"

    /// The most bytes of a file with a key; the rest of them may be spaces.
    private static let longestKeyFile = 4_096

    /// A network's swap API; nil if it has none, or there is no key for it.
    ///
    /// Only commands that use it call this: it reads the key.
    ///
    /// - Throws: `DexError`, exit 3, for a key that is exposed, missing at its place or malformed.
    func swapClient(
        _ network: Network,
        _ transport: CommandTransport
    ) throws(DexError) -> (any LiquiditySource)? {
        guard let swap = network.swap, let key = try swapKey(network, swap) else { return nil }
        return ZeroExSwapClient(
            api: swap.api,
            key: key,
            rules: ZeroExSwapRules(chainID: network.chainID),
            transport: transport
        )
    }

    /// The key of the environment, else of the file; nil without either.
    private func swapKey(_ network: Network, _ swap: SwapSettings) throws(DexError) -> SwapKey? {
        // The sandbox takes a key that is no secret.
        if network.isSandbox { return SwapKey("sandbox".utf8) }
        if let text = environment[Self.keyVariable] {
            CoreDumps.forbid()
            return try usable(SwapKey(text.utf8), of: Self.keyVariable)
        }
        guard let path = swap.keyFile else { return nil }
        CoreDumps.forbid()
        guard !PrivateFiles.isExposed(path), !PrivateFiles.isAlterable(path) else {
            throw SwapKeyError.exposed(path)
        }
        let key: SwapKey??
        do throws(PrivateFiles.Failure) {
            key = try PrivateFiles.withContent(of: path, as: .text, limit: Self.longestKeyFile) {
                SwapKey($0)
            }
        } catch {
            throw SwapKeyError.unreadable(error)
        }
        guard let key else {
            throw SwapKeyError.missing(path, network: network.name)
        }
        return try usable(key, of: path)
    }

    private func usable(_ key: SwapKey?, of source: String) throws(DexError) -> SwapKey {
        guard let key else {
            throw SwapKeyError.malformed(source: source, longest: SwapKey.longest)
        }
        return key
    }
}
