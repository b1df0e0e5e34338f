package import Ethereum

/// `dex tokens add`: reads a token from its contract, and checks it before a list has it.
package struct TokenAdditionModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The token of a contract with what a user should know before it is added.
    ///
    /// One round trip; nothing is written.
    ///
    /// - Parameters:
    ///   - text: the contract's address.
    ///   - symbol: the symbol in the list; nil is the contract's own.
    ///   - allowsCopy: a symbol that another token has, or that looks like one, is accepted.
    ///   - account: whose balance is shown.
    /// - Throws: `DexError`: `bad-address`, `token-exists`, `bad-symbol` (exit 2); `not-a-contract`,
    ///   `not-a-token`, `too-many-decimals`, `copied-symbol` (exit 6); or the node's failure.
    package func load(
        _ text: String,
        symbol: String? = nil,
        allowsCopy: Bool = false,
        account: Address? = nil
    ) async throws(DexError) -> TokenAdditionState {
        let address = try reported(AddressError.self, try Address(text))
        try session.tokens.refuseReserved(address)
        if let listed = session.tokens.listed(address) {
            throw TokenListError.listedAlready(listed)
        }
        let contract = try await TokenContract.read(
            address,
            holder: account ?? address,
            session: session
        )
        let chosen = try self.symbol(symbol, of: contract)
        let copied = session.tokens.copied(by: chosen)
        let spoof = session.tokens.spoofWarning(at: address, symbol: chosen)
        if !allowsCopy {
            guard copied.isEmpty else {
                throw TokenListError.copiedSymbol(chosen, address, of: copied)
            }
            if let spoof { throw TokenListError.knownSpoof(spoof) }
        }
        let token = Token(
            address: address,
            symbol: chosen,
            name: contract.name ?? chosen,
            decimals: contract.decimals
        )
        return TokenAdditionState(
            network: session.network.name,
            token: token,
            ownSymbol: contract.symbol,
            supply: contract.supply,
            balance: account == nil ? nil : contract.balance,
            block: contract.block,
            copied: copied.map(\.token),
            warnings: warnings(about: token, contract, copied, spoof)
        )
    }

    /// The symbol in the list, which can be typed, and which no command takes for something else.
    private func symbol(
        _ wanted: String?,
        of contract: TokenContract
    ) throws(DexError) -> String {
        guard let symbol = wanted ?? contract.symbol else {
            throw TokenListError.noSymbol(contract.address)
        }
        guard TokenMap.isTypable(symbol) else {
            throw TokenListError.badSymbol(symbol, isContracts: wanted == nil, contract.address)
        }
        guard !session.tokens.isCoin(symbol) else {
            throw TokenListError.etherSymbol(symbol, contract.address)
        }
        return symbol
    }

    private func warnings(
        about token: Token,
        _ contract: TokenContract,
        _ copied: [ListedToken],
        _ spoof: String?
    ) -> [String] {
        var warnings: [String] = []
        if let first = copied.first {
            warnings.append(
                "It is NOT the listed \(PlainText.name(first.token.symbol)) (\(first.token.address.checksummed)). "
                    + "Both symbols then name no token any more: give addresses, or choose another "
                    + "one with --symbol."
            )
        }
        if let spoof { warnings.append(spoof) }
        if let own = contract.symbol, own != token.symbol {
            let imitated = session.tokens.copied(by: own).first
            warnings.append(
                "Its contract calls itself \(PlainText.quoted(own, limit: 40))"
                    + (imitated.map {
                        ", but it is NOT the listed \(PlainText.name($0.token.symbol)) "
                            + "(\($0.token.address.checksummed))"
                    } ?? "") + "."
            )
        }
        if [contract.symbol, contract.name].compactMap(\.self)
            .contains(where: TokenDiscovery.hasLink)
        {
            warnings.append("It names a web page, as tokens of spam do.")
        }
        if contract.supply == .zero {
            warnings.append("Its supply is 0: nobody holds any of it.")
        }
        return warnings
    }
}

extension TokenMap {
    /// The listed tokens whose symbols this one copies, or looks like in some font or alphabet.
    func copied(by symbol: String) -> [ListedToken] {
        var seen: Set<Address> = []
        return (alike(symbol) + lookAlikes(symbol)).filter {
            seen.insert($0.token.address).inserted
        }
    }

    /// A symbol that a keyboard has and that no command line takes for something else: 1 to 20
    /// visible ASCII characters, no slash, no comma, and no minus or @ in front.
    static func isTypable(_ symbol: String) -> Bool {
        guard SymbolShape.fold(symbol) != nil, symbol.utf8.count <= 20 else { return false }
        return !symbol.utf8.contains(UInt8(ascii: "/"))
            && !symbol.utf8.contains(UInt8(ascii: ","))
            && symbol.utf8.first != UInt8(ascii: "-") && symbol.utf8.first != UInt8(ascii: "@")
    }

    /// A symbol that is read as ether or the network's coin, or looks like it.
    func isCoin(_ symbol: String) -> Bool {
        let key = SymbolShape.lookAlikeKey(symbol.utf8)
        return ["ETH", "ETHER", coin.text]
            .contains { key == SymbolShape.lookAlikeKey($0.utf8) }
    }
}
