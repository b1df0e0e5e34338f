import Ethereum

/// What one seed makes of both chains: transactions in blocks, and what is looked at afterwards.
struct PlannedSequence: Sendable {
    let seed: UInt64
    var blocks: [PlannedBlock] = []
    /// Whose logs are asked for.
    var exchange = World.exchange
    /// The hashes of all orders of v1, also of those that no call names.
    var orders: [Bytes32] = []
    /// The tokens that its calls are about.
    var tokens: [Address] = []
    /// Allowances that its calls set or use, beside those for the proxy.
    var allowances: Set<PlannedAllowance> = []
    /// What contracts are asked at the end beside.
    var questions: [PlannedQuestion] = []
    /// Accounts whose ether is looked at beside.
    var wallets: [Address] = []
    /// All pay the same tip, so that the time of arrival decides; otherwise each pays less than the
    /// one before.
    var tipsAreEqual = false
}

/// A call that is asked of both chains at the end.
struct PlannedQuestion: Sendable {
    let name: String
    let to: Address
    let data: [UInt8]
}

/// An allowance that is looked at afterwards.
struct PlannedAllowance: Hashable, Sendable {
    let token: Address
    let owner: Address
    let spender: Address
}

/// A block and what is sent for it.
struct PlannedBlock: Sendable {
    var timestamp: UInt64
    var calls: [PlannedCall] = []
}

/// One transaction before its nonce, prices and gas limit are known.
struct PlannedCall: Sendable {
    /// How much gas it may use.
    enum Gas: Hashable, Sendable {
        /// More than it can need.
        case ample
        /// A quarter more than the sandbox's estimate.
        case tight
        /// So many percent of what the sandbox's estimate has beside the intrinsic gas; fewer than
        /// both could do with.
        case short(percent: Int)
    }

    /// Why no node takes it.
    enum Flaw: Hashable, Sendable, CaseIterable {
        case usedNonce
        case belowIntrinsicGas
        case belowFloorGas
        case beyondBlockGas
        case moreEtherThanOwned
        case otherChain
        case tipAboveCap
        case highS
    }

    /// What its gas is counted under.
    var kind: String
    /// The index of its sender.
    var sender: Int
    var to: Address
    var data: [UInt8] = []
    var value: UInt256 = 0
    /// For how many fills of limit orders of v4 it brings the protocol fee along, beside the value.
    var protocolFees = 0
    var gas = Gas.ample
    /// Its EIP-2718 type: 0, 1 or 2.
    var type = 2
    /// Accounts of its access list; there are no slots, since Vyper's are not Solidity's.
    var warm: [Address] = []
    var flaw: Flaw?
}

extension PlannedCall {
    /// The block before has to be done before this one's gas can be chosen.
    var beginsBlock: Bool { gas != .ample }
}
