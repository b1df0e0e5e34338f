import EVM
import Ethereum

/// A call outside of any transaction: eth_call, eth_estimateGas, eth_createAccessList.
struct CallMessage: Hashable, Sendable {
    /// nil is the zero address.
    var from: Address?
    /// nil creates a contract.
    var to: Address?
    /// The call data, or the code that creates a contract.
    var data: [UInt8]
    var value: Wei = .zero
    /// nil is the most that the node allows.
    var gas: UInt64?
    var accessList: [AccessListEntry] = []
    /// nil pays nothing.
    var fee: Transaction.Fee?
    /// As in a transaction of type 4.
    var authorizations: [Transaction.Authorization] = []

    /// The call as the EVM runs it, with authorizations that nobody has signed.
    func message(gas: UInt64) -> Message {
        Message(
            sender: from ?? .zero,
            to: to,
            value: value,
            data: data,
            gasLimit: gas,
            accessList: accessList,
            authorizations: authorizations.messages()
        )
    }
}

extension CallMessage {
    init(_ request: CallRequest) {
        self.init(
            from: request.from,
            to: request.to,
            data: request.data,
            value: request.value,
            gas: request.gas,
            accessList: request.accessList,
            fee: request.fee
        )
    }
}

extension CallMessage {
    /// The call without a price, as another node is asked about it; nil for a creation.
    var request: CallRequest? {
        to.map { CallRequest(from: from, to: $0, data: data, value: value, gas: gas) }
    }
}

extension SignedTransaction {
    /// The transaction as a call without a price; nil for a creation.
    var request: CallRequest? {
        transaction.to.map {
            CallRequest(
                from: sender,
                to: $0,
                data: transaction.data,
                value: transaction.value,
                gas: transaction.gasLimit
            )
        }
    }

    /// The transaction as the EVM runs it, with authorizations that nobody has signed.
    var message: Message {
        Message(
            sender: sender,
            to: transaction.to,
            nonce: transaction.nonce,
            value: transaction.value,
            data: transaction.data,
            gasLimit: transaction.gasLimit,
            maxFee: transaction.maximumGasPrice,
            tip: transaction.tipCap,
            accessList: transaction.accessList,
            authorizations: transaction.authorizations.messages()
        )
    }
}

extension [Transaction.Authorization] {
    /// The list as the EVM takes it; nil for an empty one.
    ///
    /// - Parameter recoverer: finds the signers; nil where only the gas of the list matters.
    func messages(_ recoverer: (any SignatureRecovering)? = nil) -> [Message.Authorization]? {
        guard !isEmpty else { return nil }
        return map { authorization in
            Message.Authorization(
                chainID: authorization.chainID,
                delegate: authorization.delegate,
                nonce: authorization.nonce,
                signer: recoverer.flatMap { authorization.signer($0) }
            )
        }
    }
}
