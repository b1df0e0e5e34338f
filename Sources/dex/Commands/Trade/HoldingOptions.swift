import ArgumentParser
import DexCore

/// Signing without sending.
struct HoldingOptions: SettingsOptions, Sendable {
    @Flag(help: "Sign and do not send: --out gets what dex broadcast sends, here or elsewhere.")
    var noSend = false

    @Option(help: .of("file", "The new file for what is signed, with --no-send."))
    var out: String?

    func validate() throws {
        switch (noSend, out) {
        case (true, nil): throw ValidationError("--no-send needs --out with a new file.")
        case (false, _?): throw ValidationError("--out is for --no-send.")
        case (true, "-"): throw ValidationError("--out takes a new file, and not -.")
        default: break
        }
    }

    func apply(to settings: inout TradeSettings) { settings.holds = noSend }

    /// Where the signed transaction goes; nil if it is sent.
    var file: NewFile? { noSend ? out.map { NewFile(path: $0) } : nil }
}
