import EVM
import Ethereum

/// Asks contracts the same before and after a transaction.
struct StateComparison {
    let before: Execution
    let after: Execution
    let block: BlockContext
    let account: Address
    /// What the state lacks for answers that are needed.
    private(set) var missing: Set<StateKey> = []

    /// A number that a contract returns.
    ///
    /// One that it returns on one side only is zero on the other: what cannot be asked any more is
    /// gone.
    ///
    /// - Parameter isNeeded: false: a contract whose answer needs state that the transaction did not
    ///   read is not asked.
    /// - Returns: nil if it returns none on either side, or if that is not known.
    mutating func word(
        _ contract: Address,
        _ data: [UInt8],
        isNeeded: Bool
    ) -> SimulatedChanges.Change? {
        guard let words = words(contract, data, isNeeded: isNeeded),
            words.before != nil || words.after != nil
        else { return nil }
        return .init(before: words.before ?? .zero, after: words.after ?? .zero)
    }

    /// A number on each side; nil on one where it returns none.
    mutating func words(
        _ contract: Address,
        _ data: [UInt8],
        isNeeded: Bool
    ) -> (before: UInt256?, after: UInt256?)? {
        guard let bytes = bytes(contract, data, isNeeded: isNeeded) else { return nil }
        return (
            bytes.before.flatMap(TokenAnswers.word), bytes.after.flatMap(TokenAnswers.word)
        )
    }

    /// What it returns; nil on a side where it fails.
    mutating func bytes(
        _ contract: Address,
        _ data: [UInt8],
        isNeeded: Bool
    ) -> (before: [UInt8]?, after: [UInt8]?)? {
        do throws(Execution.Gap) {
            return (
                try answer(of: before, contract, data), try answer(of: after, contract, data)
            )
        } catch {
            // Any other gap is no answer of the contract's.
            if isNeeded, case .needs(let keys) = error { missing.formUnion(keys) }
            return nil
        }
    }

    private func answer(
        of execution: Execution,
        _ contract: Address,
        _ data: [UInt8]
    ) throws(Execution.Gap) -> [UInt8]? {
        let outcome = try execution.call(contract, data, from: account, in: block)
        return outcome.ending == .succeeded ? outcome.output : nil
    }

    /// An account's coin in wei.
    func ether(of address: Address) -> SimulatedChanges.Change? {
        records(of: address).map {
            .init(
                before: $0.before?.balance.rawValue ?? .zero,
                after: $0.after?.balance.rawValue ?? .zero
            )
        }
    }

    /// The hash of an account's code; an account that is not there has none.
    func codeHash(of address: Address) -> (before: Bytes32, after: Bytes32)? {
        let none = StateAccount.emptyCodeHash
        return records(of: address).map {
            ($0.before?.codeHash ?? none, $0.after?.codeHash ?? none)
        }
    }

    private func records(
        of address: Address
    ) -> (before: AccountRecord?, after: AccountRecord?)? {
        guard case .known(let old) = before.account(address),
            case .known(let new) = after.account(address)
        else { return nil }
        return (old, new)
    }
}
