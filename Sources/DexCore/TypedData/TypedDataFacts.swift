import DexSigning
package import Ethereum

/// What the chain says about the tokens and contracts that typed data name.
package struct TypedDataFacts: Sendable {
    /// Known tokens, and those that the chain describes.
    let tokens: [Address: Token]
    /// The account's balances; nil where one could not be read.
    let balances: [Address: UInt256?]
    /// What stands behind data whose effect is not read; nil for known kinds.
    let stakes: CallStakes?
    /// The node answered, and for this chain.
    let isRead: Bool

    static let unread = TypedDataFacts(tokens: [:], balances: [:], stakes: nil, isRead: false)

    /// Asks the node; its failure is one of the facts, since a signature needs no node.
    package static func read(
        _ data: TypedData,
        account: Address,
        _ session: Session
    ) async -> TypedDataFacts {
        do throws(DexError) {
            return try await asked(data, account, session)
        } catch {
            return .unread
        }
    }

    private static func asked(
        _ data: TypedData,
        _ account: Address,
        _ session: Session
    ) async throws(DexError) -> TypedDataFacts {
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        guard try await batch.send(to: session.chain).value(chain) == session.network.chainID
        else { return .unread }
        let grant = TypedGrant(data)
        let named =
            grant.map { $0.parts.map(\.token) + [$0.receives?.token].compactMap(\.self) }
            ?? addresses(in: data)
        let looked = Array(named.prefix(CallStakesReader.maximumAddresses))
        let resolved = try await TokenResolver(session: session).checkedTokens(at: looked).tokens
        let tokens =
            grant != nil
            ? resolved
            : resolved.filter { $0.value.decimals != nil || session.tokens.known($0.key) != nil }
        var stakes: CallStakes?
        if grant == nil, SeaportOrder.isOrder(data) == false {
            stakes = try await CallStakesReader(session: session, account: account).read(
                named,
                to: data.domain.verifyingContract ?? .zero
            )
        }
        var reads = ReadBatch()
        let owned = tokens.keys.sorted()
        let slots = owned.map { token in
            reads.add(.call(CallRequest(to: token, data: ERC20.balanceOf(account)), .latest))
        }
        let answers = try await reads.send(to: session.chain)
        var balances: [Address: UInt256?] = [:]
        for (token, slot) in zip(owned, slots) {
            // nil: shown as a balance that could not be read
            let bytes = try? answers[slot].get()
            balances.updateValue(bytes.flatMap(TokenAnswers.word), forKey: token)
        }
        return TypedDataFacts(tokens: tokens, balances: balances, stakes: stakes, isRead: true)
    }

    /// The addresses of a message and of its domain, each once.
    static func addresses(in data: TypedData) -> [Address] {
        var found: [Address] = []
        var seen: Set<Address> = [.zero]
        func add(_ value: ABIValue) {
            switch value {
            case .address(let address):
                if seen.insert(address).inserted { found.append(address) }
            case .array(let values), .tuple(let values): values.forEach(add)
            default: break
            }
        }
        if let contract = data.domain.verifyingContract { add(.address(contract)) }
        add(data.message)
        return found
    }
}
