package import Ethereum

/// A recipient that would lose what is sent, or one that is not known.
package enum TransferError: ErrorArea {
    case reserved(ReservedAddress)
    /// The contract of the very token that is sent.
    case ownContract(Address, Token)
    case exchange(Address)
    case tokenContract(Address, Token)
    /// What is sent there leaves the chain.
    case bridge(Address)
    case unknownName(String, known: [String])
    /// A name of different addresses.
    case ambiguousName(String, [KnownAddresses.Entry])

    package var report: ErrorReport {
        switch self {
        case .unknownName(let name, let known):
            return ErrorReport(
                .usage,
                "unknown-address",
                "No address is called \(PlainText.quoted(name, limit: 64)).",
                hint: Suggestion.behind(
                    name,
                    among: known,
                    "See the names: dex address list. Add one: dex address add NAME ADDRESS"
                )
            )
        case .ambiguousName(let name, let entries):
            let places = entries.map { "\($0.address.checksummed) (\($0.source.rawValue))" }
            return ErrorReport(
                .usage,
                "ambiguous-address",
                "\(PlainText.quoted(name, limit: 64)) names different addresses: "
                    + "\(places.joined(separator: ", ")).",
                hint: "Give the address, or remove the name: dex address remove NAME"
            )
        case .reserved, .ownContract, .exchange, .tokenContract, .bridge: return badRecipient
        }
    }

    private var badRecipient: ErrorReport {
        let message =
            switch self {
            case .reserved(let reserved):
                "\(reserved.address.checksummed) is \(reserved.meaning), and nobody's: what is sent "
                    + "there is lost."
            case .ownContract(let address, let token):
                "\(address.checksummed) is the contract of "
                    + "\(PlainText.name(token.symbol)) itself: what is sent there is lost."
            case .exchange(let address):
                "\(address.checksummed) is a contract of the exchange or of the swap API, which cannot "
                    + "move what is sent to it: that is lost."
            case .tokenContract(let address, let token):
                "\(address.checksummed) is the contract of the token "
                    + "\(PlainText.name(token.symbol)): what is sent to a token's contract "
                    + "is lost."
            case .bridge(let address):
                "\(address.checksummed) moves what is sent to it off this chain, to the exchange side: "
                    + "dex neither shows it there nor brings it back."
            case .unknownName, .ambiguousName: ""
            }
        return ErrorReport(
            .refused,
            "bad-recipient",
            message,
            hint: "Give the address of an account."
        )
    }
}
