import EVM
import Ethereum

/// A transaction as it is about to be signed, or as it was signed.
struct SimulatedTransaction: Sendable {
    let call: CallRequest
    let account: Address
    let gasLimit: UInt64
    let fee: Transaction.Fee

    /// The message that the EVM runs, with the account's next nonce on the state.
    func message(nonce: UInt64) -> Message {
        Message(
            sender: account,
            to: call.to,
            nonce: nonce,
            value: call.value,
            data: call.data,
            gasLimit: gasLimit,
            maxFee: fee.maximum,
            tip: fee.tip,
            accessList: call.accessList
        )
    }

    /// What a unit of gas costs over a base fee.
    func price(over baseFee: Wei) -> Wei {
        guard case .dynamic(let maximum, let tip) = fee else { return fee.maximum }
        return min(maximum, baseFee.adding(tip) ?? maximum)
    }

    /// Whom it may let move tokens without an event: what it calls, and the addresses in its data.
    var spenders: Set<Address> {
        var found: Set<Address> = [call.to]
        for start in stride(from: 4, to: call.data.count - 31, by: 32)
        where found.count < Self.maximumSpenders {
            guard let word = Bytes32(bytes: call.data[start..<start + 32]),
                let address = Address(ifWord: word), address != .zero, address != account
            else { continue }
            found.insert(address)
        }
        return found
    }

    private static let maximumSpenders = 64
}
