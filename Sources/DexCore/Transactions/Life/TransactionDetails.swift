import DexStore
package import Ethereum

/// What a transaction asked for and moved, and its place in the chain.
package struct TransactionDetails: Sendable {
    /// A transfer with its token, which has no decimals if the token map lacks it.
    package struct Transfer: Hashable, Sendable {
        package let amount: TokenAmount
        package let from: Address
        package let to: Address
    }

    /// The ether sent along; nil if neither the node nor the journal has the transaction.
    package var value: Wei?
    /// nil without call data, or if they are not known.
    package var call: TransactionCall?
    /// The transfers of tokens in the order of their logs.
    package var transfers: [Transfer] = []
    package var delegations: [SignedDelegation] = []
    /// The time of its block in seconds since 1970.
    package var time: UInt64?
    package var blockHash: BlockHash?
    /// All events of its receipt; nil without one.
    package var logs: [Log]?

    package init() {}

    /// The tokens whose amounts it names.
    var tokens: Set<Address> {
        (call?.tokenAddresses ?? []).union(transfers.map(\.amount.token.address))
    }

    /// - Parameter journaled: our record, whose bytes count before the node's words.
    init(
        _ observation: TransactionObservation,
        journaled: JournalTransaction?,
        session: Session
    ) {
        if let own = journaled?.signed(session)?.transaction {
            value = own.value
            call = TransactionCall(
                to: own.to,
                value: own.value,
                data: own.data,
                by: journaled?.sender,
                session: session
            )
        } else if let info = observation.info {
            value = info.value
            call = TransactionCall(
                to: info.to,
                value: info.value,
                data: info.data,
                by: info.from,
                session: session
            )
            delegations = info.authorizations.compactMap { SignedDelegation($0, session) }
        }
        guard let receipt = observation.receipt, observation.isCanonical == true else { return }
        time = observation.blockTime
        blockHash = receipt.blockHash
        logs = receipt.logs
        transfers = receipt.logs.compactMap { TokenTransfer($0) }.map { transfer in
            Transfer(
                amount: TokenAmount(
                    raw: transfer.amount,
                    token: session.tokens.token(at: transfer.token)
                ),
                from: transfer.from,
                to: transfer.to
            )
        }
    }
}
