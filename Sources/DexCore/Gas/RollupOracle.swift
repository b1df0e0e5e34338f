import Ethereum
import ZeroEx

/// The contracts of rollups that say what a transaction costs beside its gas.
///
/// Sources: the OP Stack's GasPriceOracle (Fjord, Isthmus, Jovian), Mantle's token ratio, Scroll's
/// L1GasPriceOracle.
struct RollupOracle {
    let kind: FeeRules.RollupFee
    let chainID: UInt64

    /// The OP Stack's oracle, at one address on all its chains.
    static let optimism = predeploy(0x42, 0x0F)
    static let scroll = predeploy(0x53, 0x02)

    /// Adds the questions for a call with its gas limit.
    ///
    /// The answer throws `DexError`, exit 4, if the oracle does not answer: a fee that cannot be
    /// read is never zero. Of a chain that is not known, one without the oracle has no such fee.
    func ask(_ limit: GasLimit, in batch: inout ReadBatch) -> JointRead<RollupCost> {
        switch kind {
        case .none: return JointRead { _ in .none }
        case .scroll:
            let fee = batch.add(read(Self.scroll, Self.getL1Fee(signed(limit))))
            return JointRead { answers throws(DexError) in
                RollupCost(
                    dataFee: Wei(try word(answers[fee], "the data fee")),
                    operatorFee: .zero
                )
            }
        case .optimism, .mantle, .asked:
            let fee = batch.add(read(Self.optimism, Self.getL1Fee(unsigned(limit).signingPayload)))
            let operatorFee = batch.add(
                read(
                    Self.optimism,
                    ERC20.call("getOperatorFee(uint256)", UInt256(limit.units).word)
                )
            )
            let ratio =
                kind == .mantle
                ? batch.add(read(Self.optimism, ERC20.call("tokenRatio()"))) : nil
            return JointRead { answers throws(DexError) in
                let isKnown = kind != .asked
                var dataFee = try word(answers[fee], "the data fee", isRequired: isKnown)
                if let ratio {
                    // Mantle answers in ether, and takes its own coin.
                    let ratio = try word(answers[ratio], "the ratio of its coin to ether")
                    let (product, overflow) = dataFee.multipliedReportingOverflow(by: ratio)
                    dataFee = overflow ? .max : product
                }
                // The function exists since Isthmus; before it there was no such fee.
                let extra = try word(
                    answers[operatorFee],
                    "the operator fee",
                    isRequired: false
                )
                return RollupCost(dataFee: Wei(dataFee), operatorFee: Wei(extra))
            }
        }
    }

    /// - Parameter isRequired: otherwise a contract that is not there, or lacks the function, means
    ///   zero.
    private func word(
        _ answer: Result<[UInt8], ChainError>,
        _ subject: String,
        isRequired: Bool = true
    ) throws(DexError) -> UInt256 {
        switch answer {
        case .success(let bytes) where bytes.count >= 32:
            return UInt256(bigEndian: Array(bytes.prefix(32))) ?? .max
        case .success(let bytes) where bytes.isEmpty && !isRequired: return .zero
        case .failure(let error) where error.isExecutionFailure && !isRequired: return .zero
        case .failure(let error) where !error.isExecutionFailure: throw DexError(error)
        case .success, .failure:
            throw DexError(
                ChainError.nonsense("the chain's fee oracle does not return \(subject)")
            )
        }
    }

    private func read(_ oracle: Address, _ data: [UInt8]) -> Read<[UInt8]> {
        .call(CallRequest(to: oracle, data: data), .latest)
    }

    /// The transaction as it will be signed, with numbers of the size that its own may have.
    private func unsigned(_ limit: GasLimit) -> Transaction {
        let request = limit.request
        return Transaction(
            chainID: chainID,
            nonce: 0xC3A5_96E1,
            fee: .dynamic(
                maxFeePerGas: Wei(UInt256(0x9E37_79B9_7F4A_7C15 as UInt64)),
                maxPriorityFeePerGas: Wei(UInt256(0xC2B2_AE3D_27D4_EB4F as UInt64))
            ),
            gasLimit: limit.units,
            to: request.to,
            value: request.value,
            data: request.data,
            accessList: request.accessList
        )
    }

    private func signed(_ limit: GasLimit) -> [UInt8] {
        let transaction = unsigned(limit)
        let hash = transaction.signingHash
        guard let signature = Signature(r: hash, s: hash, yParity: 1) else {
            return transaction.signingPayload
        }
        return SignedTransaction(transaction: transaction, signature: signature, sender: .zero).raw
    }

    /// Call data of `getL1Fee(bytes)`.
    static func getL1Fee(_ bytes: [UInt8]) -> [UInt8] {
        let padding = (32 - bytes.count % 32) % 32
        return ERC20.call(
            "getL1Fee(bytes)",
            UInt256(32).word,
            UInt256(UInt64(bytes.count)).word
        ) + bytes + [UInt8](repeating: 0, count: padding)
    }

    private static func predeploy(_ first: UInt8, _ last: UInt8) -> Address {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[12] = first
        bytes[31] = last
        return Address(truncating: Bytes32(bytes: bytes) ?? .zero)
    }
}
