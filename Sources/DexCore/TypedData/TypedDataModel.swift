import DexSigning
package import Ethereum
import ZeroEx

/// What typed data says, and what its signature allows: for a plan, before anything is signed.
package struct TypedDataModel: Sendable {
    /// The most values of a message, and the most tokens, that are shown.
    static let maximumValues = 4_000
    static let maximumTokens = 50

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
    ///   - facts: what the chain says; nil if there is no node to ask.
    /// - Throws: `DexError`, exit 6: `too-long-to-show`, `too-many-calls`.
    package func plan(
        _ data: TypedData,
        account: Address,
        origin: String? = nil,
        facts: TypedDataFacts? = nil
    ) throws(DexError) -> TypedDataState {
        let grant = TypedGrant(data)
        let order = SeaportOrder.isOrder(data) ? SeaportOrder(data.message) : nil
        let stakes = facts?.stakes
        let kind = kind(data, grant, order, stakes)
        let names = ContractNames(network: network, tokens: tokens, known: known)
        // What the chain says first: it leaves out decimals that the contract contradicts.
        func token(_ address: Address) -> Token? { facts?.tokens[address] ?? tokens.known(address) }
        let tree = TypedDataTree(
            data: data,
            isKnown: grant != nil,
            token: token,
            name: { name(of: $0, account, names) }
        )
        let message = tree.message
        try check(message)
        let shares = TypedDataShare.list(
            grant?.parts ?? [],
            token: { token($0) ?? .unknown($0) },
            balance: { balance(of: $0, facts) }
        )
        guard shares.count <= Self.maximumTokens else {
            throw CallError.tooLongToShow(
                what: "tokens",
                count: shares.count,
                maximum: Self.maximumTokens
            )
        }
        // All of an unknown kind are looked up.
        let addresses = grant == nil ? TypedDataFacts.addresses(in: data).count : 0
        guard addresses <= CallStakesReader.maximumAddresses else {
            throw CallStakesReader.tooMany(addresses)
        }
        let calls =
            grant != nil || order != nil
            ? nil
            : TypedDataCalls(data: data, kind: kind, account: account, network: network).effects
        if calls?.isTooLong == true {
            throw CallError.tooManyCalls(
                data.domain.verifyingContract ?? .zero,
                maximum: CallDecoder.maximumCalls
            )
        }
        let named =
            (grant.map { $0.parts.map(\.token) + [$0.receives?.token].compactMap(\.self) } ?? [])
            + (order?.tokens ?? [])
        let warner = TypedDataWarnings(
            data: data,
            kind: kind,
            grant: grant,
            shares: shares,
            order: order,
            account: account,
            network: network,
            names: names,
            known: known,
            now: now,
            token: token
        )
        let effects = calls.map { calls in
            CallWarnings(
                account: account,
                effects: calls,
                tokens: Dictionary(
                    calls.list.flatMap { [$0.token, $0.contract] }.compactMap(\.self)
                        .compactMap(token).map { ($0.address, $0) },
                    uniquingKeysWith: { first, _ in first }
                ),
                balances: facts?.balances ?? [:],
                stakes: nil,
                known: known,
                names: names
            ).all
        }
        return TypedDataState(
            data: data,
            kind: kind,
            account: account,
            accountName: known.name(of: account),
            network: network.name,
            chainID: network.chainID,
            coin: network.coin,
            origin: origin,
            grant: grant,
            shares: shares,
            order: order,
            calls: calls,
            spenderName: grant.flatMap { name(of: $0.spender, account, names) },
            tokens: Dictionary(
                named.compactMap { token($0) }.map { ($0.address, $0) },
                uniquingKeysWith: { first, _ in first }
            ),
            domain: tree.domain,
            message: message,
            warnings: warner.all(stakes: stakes, isUnread: facts?.isRead == false) + (effects ?? [])
        )
    }

    // MARK: The kind

    private func kind(
        _ data: TypedData,
        _ grant: TypedGrant?,
        _ order: SeaportOrder?,
        _ stakes: CallStakes?
    ) -> TypedDataKind {
        if let grant { return TypedDataKind(grant) }
        if order != nil { return .seaportOrder }
        if let kind = data.types.encodedType(of: data.primaryType).flatMap(
            TypedDataKind.init(type:)
        ),
            kind != .seaportOrder
        {
            return kind
        }
        let contract = data.domain.verifyingContract
        let isMoney =
            contract.map { address in
                address == ZeroExSwapContracts.permit2 || tokens.known(address) != nil
                    || address == network.exchange && network.hasExchange
            } ?? false
        let mayMove = stakes?.called.map { $0.isShown && !$0.isAccount } ?? false
        let namesTokens =
            TypedDataKind.speaksOfTokens(data)
            || TypedDataFacts.addresses(in: data).contains { tokens.known($0) != nil }
            || stakes?.rows.contains { $0.balance != nil } == true
        return isMoney || mayMove || namesTokens ? .movesTokens : .unknown
    }

    // MARK: Parts

    private func balance(of token: Address, _ facts: TypedDataFacts?) -> TypedDataShare.Balance {
        guard let facts else { return .notAsked }
        guard let read = facts.balances[token], let amount = read else { return .unread }
        return .known(amount)
    }

    private func name(of address: Address, _ account: Address, _ names: ContractNames) -> String? {
        if let name = known.name(of: address) { return name }
        return address == account ? "this account" : names.name(of: address)
    }

    private func check(_ message: [TypedDataNode]) throws(DexError) {
        let count = message.reduce(0) { $0 + $1.count }
        guard count <= Self.maximumValues else {
            throw CallError.tooLongToShow(what: "values", count: count, maximum: Self.maximumValues)
        }
    }
}
