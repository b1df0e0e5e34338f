package import Ethereum

/// A thing that a call does by its data: with tokens, with allowances, or with a contract.
package struct CallEffect: Hashable, Sendable {
    /// The place where the call is.
    package enum Place: Hashable, Sendable {
        /// The call itself.
        case call
        /// Inside of a wrapper: `[2, 1]` is the first call of the second one.
        case inside([Int])
        /// At this byte of data that nothing reads as a call.
        case found(Int)
    }

    package enum Action: Hashable, Sendable {
        /// Base units of the owner go to an account.
        case move(UInt256, owner: Address, to: Address)
        /// Items of a collection go to an account.
        case moveItems(owner: Address, to: Address)
        /// The allowance becomes this much; in Permit2 it ends by itself, in seconds since 1970.
        case allow(UInt256, owner: Address, spender: Address, until: UInt256?)
        /// The allowance grows by this much.
        case raise(UInt256, owner: Address, spender: Address)
        /// The allowance falls by this much.
        case lower(UInt256, owner: Address, spender: Address)
        /// The operator may move all of a collection, or of an account in a contract; or no longer.
        case operate(owner: Address, operator: Address, isAllowed: Bool)
        /// The operator may take this much within the transaction.
        case lend(UInt256, owner: Address, operator: Address)
        /// The contract changes hands, or its code.
        case control(Control, by: Address?)
        /// Wei that a wrapper sends along.
        case ether(UInt256, to: Address)
        /// A function that is not read, of so many bytes.
        case unread(bytes: Int)
        /// A function that moves nothing and allows nothing.
        case nothing
    }

    /// What somebody gets over a contract.
    package enum Control: String, CaseIterable, Hashable, Sendable {
        case ownership
        case code
        case role
    }

    package let place: Place
    /// The called contract; nil if that is not in the data.
    package let contract: Address?
    /// The token of the action; nil without one, and where it is not in the data.
    package let token: Address?
    /// `approve(address,uint256)`, or the selector.
    package let function: String
    package let action: Action
}

/// What a call does by its data.
package struct CallEffects: Hashable, Sendable {
    /// In the order of the calls; what was found between them is last.
    package internal(set) var list: [CallEffect] = []
    /// The called function; nil if it is not known.
    package internal(set) var signature: ABISignature?
    /// Its arguments; empty if it is not known, or if they are not in the usual encoding.
    package internal(set) var arguments: [ContractValue] = []
    /// Bytes behind the arguments.
    package internal(set) var extraBytes = 0
    /// Bytes that the arguments lack: contracts read zeros, or refuse.
    package internal(set) var missingBytes = 0
    /// A value has bytes beyond its type: contracts cut them off, or refuse.
    package internal(set) var isDirty = false
    /// Lists and texts are not where every encoder writes them.
    package internal(set) var isIrregular = false
    /// The called function, or one inside, is not read.
    package internal(set) var isUnread = false
    /// There are more calls in it than are read.
    package internal(set) var isTooLong = false

    /// All bytes of the data have to be shown.
    package var needsData: Bool {
        isUnread || extraBytes > 0 || missingBytes > 0 || isDirty || isIrregular
            || list.contains { if case .found = $0.place { true } else { false } }
    }
}
