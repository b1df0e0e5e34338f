import Ethereum

/// What an ERC-20 contract says of itself, all at one block.
///
/// Source: EIP-20; `symbol` and `name` may be a bytes32, as in MKR.
struct TokenContract: Hashable, Sendable {
    /// The most decimals of a token that is accepted: with more, an amount of 1 leaves too little
    /// of 256 bits for the rest.
    static let maximumDecimals: UInt8 = 36
    /// The longest symbol that is read; a longer one is cut, and none of a list.
    private static let longestSymbol = 60
    private static let longestName = 60

    let address: Address
    let block: UInt64
    /// External text on one line without control characters; nil if there is none.
    let symbol: String?
    /// As `symbol`.
    let name: String?
    let decimals: UInt8
    /// Base units.
    let supply: UInt256
    /// Base units of the account that was asked about.
    let balance: UInt256

    /// Reads a contract in one batch, or in two where a block is mined in the middle of it.
    ///
    /// - Parameter holder: whose balance is read.
    /// - Throws: `DexError`: `not-a-contract`, `not-a-token` with the functions that do not answer,
    ///   `too-many-decimals` (exit 6), `wrong-chain` (exit 3), or the node's failure (exit 4).
    static func read(
        _ address: Address,
        holder: Address,
        session: Session
    ) async throws(DexError) -> TokenContract {
        let first = try await round(address, holder, at: .latest, session)
        guard first.before.hash != first.after.hash else { return try first.contract.get() }
        return try await round(address, holder, at: .hash(first.after.hash), session).contract.get()
    }

    private typealias Round = (
        before: Block, after: Block, contract: Result<TokenContract, DexError>
    )

    private static func round(
        _ address: Address,
        _ holder: Address,
        at tag: BlockTag,
        _ session: Session
    ) async throws(DexError) -> Round {
        var batch = ReadBatch()
        func ask(_ data: [UInt8]) -> ReadSlot<[UInt8]> {
            batch.add(.call(CallRequest(to: address, data: data), tag))
        }
        let head = ChainHead.ask(session, in: &batch)
        let code = batch.add(.code(address, tag))
        let slots = Slots(
            symbol: ask(ERC20.symbol),
            name: ask(ERC20.name),
            decimals: ask(ERC20.decimals),
            supply: ask(ERC20.totalSupply),
            balance: ask(ERC20.balanceOf(holder))
        )
        let end = batch.add(.latestBlock)
        let answers = try await batch.send(to: session.chain)
        let before = try answers.value(head)
        let after = try answers.value(end)
        let contract = Result { () throws(DexError) in
            guard try !answers.value(code).isEmpty else {
                throw CallError.notAContract(address, network: session.network.name)
            }
            return try self.contract(address, block: before.number, slots, answers)
        }
        return (before, after, contract)
    }

    private struct Slots {
        let symbol: ReadSlot<[UInt8]>
        let name: ReadSlot<[UInt8]>
        let decimals: ReadSlot<[UInt8]>
        let supply: ReadSlot<[UInt8]>
        let balance: ReadSlot<[UInt8]>
    }

    private static func contract(
        _ address: Address,
        block: UInt64,
        _ slots: Slots,
        _ answers: ReadAnswers
    ) throws(DexError) -> TokenContract {
        let decimals = try answers.word(slots.decimals)
        let supply = try answers.word(slots.supply)
        let balance = try answers.word(slots.balance)
        guard let decimals, let supply, let balance else {
            var silent: [String] = []
            if decimals == nil { silent.append("decimals()") }
            if supply == nil { silent.append("totalSupply()") }
            if balance == nil { silent.append("balanceOf(address)") }
            throw TokenListError.silent(address, functions: silent)
        }
        guard let places = decimals.uint64.flatMap({ UInt8(exactly: $0) }),
            places <= maximumDecimals
        else {
            throw TokenListError.tooManyDecimals(address, decimals)
        }
        return TokenContract(
            address: address,
            block: block,
            symbol: TokenAnswers.text(try answers.returned(slots.symbol), limit: longestSymbol),
            name: TokenAnswers.text(try answers.returned(slots.name), limit: longestName),
            decimals: places,
            supply: supply,
            balance: balance
        )
    }
}
