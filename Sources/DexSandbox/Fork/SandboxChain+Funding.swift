import EVM
package import Ethereum

/// What an account of a fork is to have.
package struct ForkFunding: Hashable, Sendable {
    package let account: Address
    /// nil is the coin.
    package let token: Address?
    /// In base units.
    package let amount: UInt256

    package init(account: Address, token: Address?, amount: UInt256) {
        (self.account, self.token, self.amount) = (account, token, amount)
    }
}

extension SandboxChain {
    /// Gives accounts what they are to have, by a block without transactions.
    ///
    /// A token's total supply stays as it is.
    ///
    /// - Parameters:
    ///   - wrapped: the wrapped coin, which gets the coins that it owes then.
    ///   - plain: accounts that lose their code: those whose keys are public may have some on a live
    ///     chain that sends on whatever arrives (EIP-7702).
    /// - Throws: `SandboxError`, also for a token whose balances are not found.
    package func fund(
        _ fundings: [ForkFunding],
        wrapped: Address?,
        plain: [Address] = []
    ) async throws(SandboxError) {
        try await onState { () throws(SandboxError) in
            var changes: [StorageKey: UInt256] = [:]
            for address in plain { changes[StorageKey(address, .code)] = .zero }
            for funding in fundings {
                guard let token = funding.token else {
                    changes[StorageKey(funding.account, .ether)] = funding.amount
                    continue
                }
                let key = try balanceKey(of: funding, token)
                if token == wrapped {
                    let coins = StorageKey(token, .ether)
                    let old = changes[key] ?? world.value(key)
                    let grown = funding.amount > old ? funding.amount - old : .zero
                    changes[coins] = (changes[coins] ?? world.value(coins)).addingSaturating(grown)
                }
                changes[key] = funding.amount
            }
            let real = changes.filter { world.value($0.key) != $0.value }
            try checkKnown(as: SandboxError.self)
            if !real.isEmpty { try makeBlock(maximumTransactions: 0, setting: real) }
        }
    }

    /// The most words of one `balanceOf` that are tried.
    private static let maximumCandidates = 64

    /// The word that is an account's balance: found by running `balanceOf`, and by running it again
    /// with another value in each word that it reads.
    private func balanceKey(
        of funding: ForkFunding,
        _ token: Address
    ) throws(SandboxError) -> StorageKey {
        let name = token.checksummed
        guard world.value(StorageKey(token, .code)) != .zero else {
            throw .badFunding("There is no token at \(name): it has no code.")
        }
        let asked = ERC20.balanceOf(funding.account)
        let stranger = ERC20.balanceOf(Self.stranger)
        let execution = execution(on: world.latest)
        guard try word(token, asked, execution) != nil else {
            throw .badFunding("\(name) is no token: its balanceOf gives no number.")
        }
        let candidates = execution.touched.flatMap { entry in
            entry.storageKeys.map { (entry.address, UInt256($0)) }
        }
        let others = try word(token, stranger, execution)
        // A second value shows that the word is the balance, and not only near it.
        let values = [funding.amount, funding.amount == .zero ? 1 : funding.amount - 1]
        for (address, place) in candidates.prefix(Self.maximumCandidates) {
            var isBalance = true
            for value in values where isBalance {
                let changed = self.execution(
                    on: ChangedWord(ViewReader(world.latest), address, place, value)
                )
                let own = try word(token, asked, changed)
                let other = try word(token, stranger, changed)
                isBalance = own == value && other == others
            }
            if isBalance { return StorageKey(address, .word(place)) }
        }
        throw .badFunding(
            "The balances of \(name) cannot be set: no single word is one. It may compute them (shares "
                + "of a pool, interest) or keep more in the word. Fund another token and trade it for "
                + "this one."
        )
    }

    /// An account whose balance must stay as it is.
    private static let stranger = Address(
        truncating: Keccak256.hash("dex sandbox: nobody's account".utf8)
    )

    /// The number that a call returns; nil if it fails or returns none.
    private func word(
        _ contract: Address,
        _ data: [UInt8],
        _ execution: Execution
    ) throws(SandboxError) -> UInt256? {
        let context = nextContext
        do throws(Execution.Gap) {
            let outcome = try run(in: context) { (context) throws(Execution.Gap) in
                try execution.call(contract, data, in: context)
            }
            guard outcome.ending == .succeeded, outcome.output.count == 32 else { return nil }
            return UInt256(bigEndian: outcome.output)
        } catch {
            throw .badFunding(
                "The balances of \(contract.checksummed) cannot be read: "
                    + "\(error.refusal ?? "\(error)")."
            )
        }
    }
}

/// A state with another value in one word.
private final class ChangedWord: StateReader {
    private let state: any StateReader
    private let address: Address
    private let place: UInt256
    private let value: UInt256

    init(_ state: any StateReader, _ address: Address, _ place: UInt256, _ value: UInt256) {
        (self.state, self.address, self.place, self.value) = (state, address, place, value)
    }

    func account(_ address: Address) -> Known<AccountRecord?> { state.account(address) }

    func code(_ hash: Bytes32) -> Known<[UInt8]> { state.code(hash) }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        slot == place && address == self.address ? .known(value) : state.word(slot, of: address)
    }
}
