import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import ZeroEx

extension SequenceRunner {
    private static let gwei: UInt256 = 1_000_000_000
    private static let ampleGas: UInt64 = 3_000_000

    /// The transaction of a call with its nonce, prices and gas limit.
    ///
    /// - Returns: nil where the call wants to have a flaw that it cannot have yet.
    func sign(
        _ call: PlannedCall,
        index: Int,
        baseFee: UInt256,
        _ place: String
    ) async throws -> SignedTransaction? {
        var nonce = nonces[call.sender]
        // Falling tips let both chains mine in the order of the calls.
        let tip = (sequence.tipsAreEqual ? 2 : 40 - UInt256(UInt64(index))) * Self.gwei
        var gasLimit = try await gasLimit(of: call)
        let fee = UInt256(UInt64(world.genesis.protocolFeeMultiplier)) * (baseFee + tip)
        var value = call.value + UInt256(UInt64(call.protocolFees)) * fee
        var chainID = World.chainID
        var tipCap = tip
        let feeCap = baseFee * 2 + tip
        switch call.flaw {
        case .usedNonce:
            guard nonce > 0 else { return nil }
            // Only one that is mined already: a waiting one would be replaced.
            let mined = try await sandbox.ask([
                Question(
                    "eth_getTransactionCount",
                    .string(world.traders[call.sender].address.lowercaseHex),
                    "latest"
                )
            ])[0].quantity()
            guard mined > 0 else { return nil }
            nonce = 0
        case .belowIntrinsicGas: gasLimit = 20_999
        case .belowFloorGas:
            // The floor is above the intrinsic gas wherever there is call data.
            guard !call.data.isEmpty else { return nil }
            gasLimit = intrinsicGas(of: call)
        case .beyondBlockGas: gasLimit = world.genesis.blockGasLimit + 1
        case .moreEtherThanOwned: value = UInt256(1) << 120
        case .otherChain: chainID = 1
        case .tipAboveCap:
            guard call.type == 2 else { return nil }
            tipCap = feeCap + 1
        case .highS, nil: break
        }
        let price: Transaction.Fee =
            switch call.type {
            case 0: .legacy(gasPrice: Wei(baseFee + tip))
            case 1: .accessList(gasPrice: Wei(baseFee + tip))
            default: .dynamic(maxFeePerGas: Wei(feeCap), maxPriorityFeePerGas: Wei(tipCap))
            }
        let transaction = Transaction(
            chainID: chainID,
            nonce: nonce,
            fee: price,
            gasLimit: gasLimit,
            to: call.to,
            value: Wei(value),
            data: call.data,
            accessList: call.warm.map { AccessListEntry(address: $0, storageKeys: []) }
        )
        let signer = world.traders[call.sender].signer
        var signature = try signer.signature(over: transaction.signingHash)
        if call.flaw == .highS {
            let high = Planner.groupOrder - UInt256(signature.s)
            let parity = 1 - signature.yParity
            signature = Signature(r: signature.r, s: high.word, yParity: parity) ?? signature
        }
        return SignedTransaction(
            transaction: transaction,
            signature: signature,
            sender: signer.address
        )
    }

    private func gasLimit(of call: PlannedCall) async throws -> UInt64 {
        guard call.gas != .ample else { return Self.ampleGas }
        let answer = try await sandbox.ask([Question("eth_estimateGas", request(call, gas: nil))])
        // What fails anyway fails with any gas.
        guard let estimate = try? answer[0].quantity().uint64 else { return Self.ampleGas }
        switch call.gas {
        case .ample: return Self.ampleGas
        case .tight: return estimate + estimate / 4
        case .short(let percent):
            let intrinsic = intrinsicGas(of: call)
            guard estimate > intrinsic else { return Self.ampleGas }
            let limit = intrinsic + (estimate - intrinsic) * UInt64(percent) / 100
            // What costs no more than its call data cannot be made short of gas.
            return limit < floorGas(of: call) ? Self.ampleGas : limit
        }
    }

    private func intrinsicGas(of call: PlannedCall) -> UInt64 {
        let data = call.data.reduce(UInt64(0)) { $0 + ($1 == 0 ? 4 : 16) }
        return 21_000 + data + 2_400 * UInt64(call.type == 0 ? 0 : call.warm.count)
    }

    /// EIP-7623: the least that the call data costs.
    private func floorGas(of call: PlannedCall) -> UInt64 {
        21_000 + call.data.reduce(UInt64(0)) { $0 + ($1 == 0 ? 10 : 40) }
    }

    /// The call as eth_call and eth_estimateGas take it.
    func request(_ call: PlannedCall, gas: UInt64?) -> JSONValue {
        var request = JSONObject()
        request["from"] = .string(world.traders[call.sender].address.lowercaseHex)
        request["to"] = .string(call.to.lowercaseHex)
        request["data"] = .string(Hex.encode(call.data))
        request["value"] = .string(call.value.quantity)
        if call.type != 0 {
            request["accessList"] = .array(
                call.warm.map {
                    ["address": .string($0.lowercaseHex), "storageKeys": []]
                }
            )
        }
        if let gas { request["gas"] = .string(UInt256(gas).quantity) }
        return .object(request)
    }
}
