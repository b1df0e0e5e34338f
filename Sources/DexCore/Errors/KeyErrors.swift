package import DexSigning
package import Ethereum
package import EthereumWallet

/// A key that did not sign.
extension SignerError: ReportedError {
    package var report: DexError {
        switch self {
        case .wrongChain: Self.row(.configuration("wrong-chain"), description)
        case .refused: Self.row(.wallet("signer-refused"), PlainText.clean(description))
        }
    }
}

/// Something that was not signed, or whose signature was not used.
extension SigningError: ReportedError {
    package var report: DexError {
        let reported = words
        let kind: ErrorKind =
            switch reported.kind {
            case .refused: .refused
            case .configuration: .configuration
            case .key: .wallet
            case .declined: .declined
            case .unreachable: .unreachable
            case .interrupted: .interrupted
            }
        return Self.row(
            ErrorCode(kind, recorded: reported.code),
            PlainText.clean(reported.message),
            hint: reported.hint.map { PlainText.clean($0) }
        )
    }
}

/// A text that is not a private key; the error says nothing of the text.
extension PrivateKeyError: ReportedError {
    package var report: DexError { Self.row(.wallet("bad-private-key"), description) }
}
