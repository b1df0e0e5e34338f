import DexSigning
package import Ethereum
import ZeroEx

/// What typed data says, and what its signature allows: for a plan, before anything is signed.
///
/// It asks no relay and no node.
package struct TypedDataModel: Sendable {
    private let network: Network
    private let tokens: TokenMap
    private let known: KnownAddresses
    /// Seconds since 1970.
    private let now: UInt64

    package init(network: Network, tokens: TokenMap, known: KnownAddresses, now: UInt64) {
        self.network = network
        self.tokens = tokens
        self.known = known
        self.now = now
    }

    /// The plan of a signature.
    ///
    /// - Parameters:
    ///   - account: the signer.
    ///   - origin: the web page that asks for it; nil for the user.
    package func plan(
        _ data: TypedData,
        account: Address,
        origin: String? = nil
    ) -> TypedDataState {
        let grant = TypedGrant(data)
        let tree = TypedDataTree(
            data: data,
            isKnown: grant != nil,
            token: { tokens.known($0) },
            name: { name(of: $0, account) }
        )
        return TypedDataState(
            data: data,
            account: account,
            accountName: known.name(of: account),
            network: network.name,
            chainID: network.chainID,
            origin: origin,
            grant: grant,
            spenderName: grant.flatMap { name(of: $0.spender, account) },
            tokens: Dictionary(
                tokensNamed(by: grant).map { ($0.address, $0) },
                uniquingKeysWith: { first, _ in first }
            ),
            domain: tree.domain,
            message: tree.message,
            warnings: warnings(data, grant, account)
        )
    }

    private func tokensNamed(by grant: TypedGrant?) -> [Token] {
        guard let grant else { return [] }
        let addresses = grant.parts.map(\.token) + [grant.receives?.token].compactMap(\.self)
        return addresses.compactMap { tokens.known($0) }
    }

    private func name(of address: Address, _ account: Address) -> String? {
        if let name = known.name(of: address) { return name }
        if address == account { return "this account" }
        if let token = tokens.known(address) { return PlainText.clean(token.symbol, limit: 20) }
        if address == ZeroExSwapContracts.permit2 { return "Permit2" }
        if network.hasExchange, address == network.exchange { return "the exchange" }
        return nil
    }

    // MARK: Warnings

    private func warnings(
        _ data: TypedData,
        _ grant: TypedGrant?,
        _ account: Address
    ) -> [String] {
        var warnings: [String] = []
        if data.domain.chainID == nil {
            warnings.append("It names no chain: the signature may be valid on every chain.")
        }
        guard let grant else {
            return warnings + [
                "What this allows is not known to dex: it may be an order, an allowance, or only a "
                    + "login. Sign it only if you trust the one who asks for it."
            ]
        }
        if let owner = grant.owner, owner != account {
            warnings.append(
                "It is about the tokens of \(owner.checksummed), and this account would sign: that "
                    + "is valid only if that account lets this one sign for it."
            )
        }
        warnings += self.warnings(amountsOf: grant)
        warnings += [known.warning(about: grant.spender)].compactMap(\.self)
        if grant.deadline <= UInt256(now) {
            warnings.append("Its time is over: the signature cannot be used any more.")
        }
        if grant.hasWitness {
            warnings.append(
                "It has further terms, such as what you get: Permit2 leaves them to the spender to "
                    + "check."
            )
        }
        return warnings
    }

    private func warnings(amountsOf grant: TypedGrant) -> [String] {
        var warnings: [String] = []
        for token in Set(grant.parts.filter(\.isUnlimited).map(\.token)).sorted() {
            let name = tokens.known(token).map { PlainText.clean($0.symbol, limit: 20) }
            warnings.append(
                "IT IS UNLIMITED: \(grant.spender.checksummed) may take ALL "
                    + "\(name ?? "tokens of \(token.checksummed)") of this account, "
                    + (grant.kind == .permit2Transfer
                        ? "at once." : "now and whatever comes in later.")
            )
        }
        let named = grant.parts.map(\.token) + [grant.receives?.token].compactMap(\.self)
        for token in Set(named).sorted() where tokens.known(token)?.decimals == nil {
            warnings.append(
                "The token \(token.checksummed) is not known: its amount is in base units."
            )
        }
        return warnings
    }
}
