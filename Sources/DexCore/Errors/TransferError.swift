package import Ethereum

/// A recipient that would lose what is sent.
package enum TransferError: ErrorArea {
    case zeroAddress
    /// The contract of the very token that is sent.
    case ownContract(Address, Token)
    case exchange(Address)
    case tokenContract(Address, Token)

    package var report: ErrorReport {
        let message =
            switch self {
            case .zeroAddress: "Nobody has the zero address: what is sent there is lost."
            case .ownContract(let address, let token):
                "\(address.checksummed) is the contract of "
                    + "\(PlainText.clean(token.symbol, limit: 20)) itself: what is sent there is lost."
            case .exchange(let address):
                "\(address.checksummed) is a contract of the exchange or of the swap API, which cannot "
                    + "move what is sent to it: that is lost."
            case .tokenContract(let address, let token):
                "\(address.checksummed) is the contract of the token "
                    + "\(PlainText.clean(token.symbol, limit: 20)): what is sent to a token's contract "
                    + "is lost."
            }
        return ErrorReport(
            .refused,
            "bad-recipient",
            message,
            hint: "Give the address of an account."
        )
    }
}
