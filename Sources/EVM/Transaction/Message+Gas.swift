public import Ethereum

extension Message {
    /// The address of a contract that an account creates.
    ///
    /// - Parameter nonce: the account's, before the creation.
    public static func contract(of creator: Address, nonce: UInt64) -> Address {
        let list = RLP.list([.bytes(creator.bytes), .integer(UInt256(nonce))])
        return Address(truncating: Keccak256.hash(list.encoded))
    }

    /// The gas before the first instruction.
    public func intrinsicGas(_ revision: Revision) -> UInt64 { intrinsicGas(GasPrices(revision)) }

    /// The most bytes of the code that creates a contract (EIP-3860).
    public static var maximumInitCode: Int { SizeLimit.initCode }

    /// The gas before the first instruction.
    func intrinsicGas(_ prices: GasPrices) -> UInt64 {
        var gas = prices.authorization * Int64(authorizations?.count ?? 0)
        if to == nil {
            gas += prices.creation + prices.initCodeWord * Int64((data.count + 31) / 32)
        }
        return prices.transaction.intrinsic(data: data, accessList: accessList) + UInt64(gas)
    }

    /// What a unit of gas costs.
    func price(_ baseFee: UInt256) -> UInt256 {
        guard let tip else { return maxFee.rawValue }
        let (sum, overflow) = baseFee.addingReportingOverflow(tip.rawValue)
        return overflow ? maxFee.rawValue : min(maxFee.rawValue, sum)
    }

    /// The most that it may take of its sender; nil for more than there is.
    func maximumCost(_ prices: GasPrices) -> UInt256? {
        let gas = UInt256(gasLimit).multipliedReportingOverflow(by: maxFee.rawValue)
        let (sum, overflow) = gas.partialValue.addingReportingOverflow(value.rawValue)
        let blobs = blobGas(prices)
            .multipliedReportingOverflow(by: self.blobs?.maxFee.rawValue ?? .zero)
        let (total, beyond) = sum.addingReportingOverflow(blobs.partialValue)
        return gas.overflow || overflow || blobs.overflow || beyond ? nil : total
    }

    /// The gas of its blobs, which has a price of its own.
    func blobGas(_ prices: GasPrices) -> UInt256 {
        UInt256(prices.blob * UInt64(blobs?.hashes.count ?? 0))
    }
}
