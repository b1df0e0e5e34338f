import DexCore
import PrivateFiles

/// A key of the swap API that cannot be used; no case holds it.
enum SwapKeyError: ErrorArea {
    static func exposed(_ path: String) -> DexError {
        row(
            .configuration("bad-swap-key"),
            "The file \(PlainText.clean(path, limit: 400)) holds the swap API's key, and others "
                + "than you may read or change it.",
            hint: "Close it: chmod 600 \(PlainText.clean(path, limit: 400)) (it must belong to you)"
        )
    }

    static func unreadable(_ error: PrivateFiles.Failure) -> DexError {
        row(
            .configuration("file"),
            PlainText.clean(error.description),
            hint: "It is to hold the swap API's key; or set DEX_ZEROEX_API_KEY."
        )
    }

    static func missing(_ path: String, network: String) -> DexError {
        row(
            .configuration("file"),
            "The file \(PlainText.clean(path, limit: 400)), which is to hold the swap API's "
                + "key, does not exist.",
            hint: "Correct it: dex config set networks.\(network).swap.key_file FILE"
        )
    }

    static func malformed(source: String, longest: Int) -> DexError {
        row(
            .configuration("bad-swap-key"),
            "The swap API's key in \(PlainText.clean(source, limit: 400)) is not 1 to "
                + "\(longest) printable characters without spaces.",
            hint: "Put the key there and nothing else."
        )
    }
}
