package import DexSigning
package import Ethereum
package import EthereumWallet

/// A key that did not sign.
extension SignerError: ErrorArea {
    package var report: ErrorReport {
        switch self {
        case .wrongChain: ErrorReport(.configuration, "wrong-chain", description)
        case .refused: ErrorReport(.wallet, "signer-refused", PlainText.clean(description))
        }
    }
}

/// Something that was not signed, or whose signature was not used.
extension SigningError: ErrorArea {
    package var report: ErrorReport {
        let told = words
        let kind: ErrorKind =
            switch told.kind {
            case .refused: .refused
            case .configuration: .configuration
            case .key: .wallet
            case .declined: .declined
            case .unreachable: .unreachable
            case .interrupted: .interrupted
            }
        return ErrorReport(
            kind,
            told.code,
            PlainText.clean(told.message),
            hint: told.hint.map { PlainText.clean($0) }
        )
    }
}

/// A text that is not a private key; the error says nothing of the text.
extension PrivateKeyError: ErrorArea {
    package var report: ErrorReport { ErrorReport(.wallet, "bad-private-key", description) }
}
