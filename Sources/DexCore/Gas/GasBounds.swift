import Ethereum

/// What a gas limit must keep to: the block, the chain's rules, and the user's wish.
struct GasBounds {
    let block: Block
    let rules: FeeRules
    let overrides: FeeOverrides

    init(_ block: Block, _ rules: FeeRules, _ overrides: FeeOverrides) {
        self.block = block
        self.rules = rules
        self.overrides = overrides
    }

    /// The most gas of one transaction.
    var maximum: UInt64 { rules.maximumGas(in: block) }

    /// By which a measured gas is what it is.
    var revision: Revision { rules.revision(in: block) }
}

extension FeeRules {
    /// The most gas of one transaction: what a block holds, or the chain's own cap below it.
    func maximumGas(in block: Block) -> UInt64 {
        let maximum = gasCap ?? listedRevision(in: block).flatMap { TransactionGas($0).maximum }
        return min(block.gasLimit, maximum ?? .max)
    }

    /// The same, and at most what every chain takes.
    func safeGas(in block: Block) -> UInt64 {
        min(maximumGas(in: block), TransactionGas(.osaka).maximum ?? .max)
    }

    /// The rules of a block; a chain that is not listed has Osaka's.
    func revision(in block: Block) -> Revision {
        listedRevision(in: block) ?? .osaka
    }

    private func listedRevision(in block: Block) -> Revision? {
        chain.flatMap { Revision.listed(chain: $0, time: block.timestamp) }
    }

    /// The least that nodes take as the highest price of a unit of gas, in wei.
    ///
    /// With a base fee of 100 gwei and 105 percent it is 105 gwei.
    func minimumPrice(base: Wei) -> Wei {
        let share = UInt256.mulDiv(base.rawValue, UInt256(max(minimumCapPercent, 100)), 100)
        let price = share.map { $0.quotient.addingSaturating($0.remainder == .zero ? 0 : 1) }
        return max(Wei(price ?? .max), minimumTip)
    }

    /// The gas before the first instruction of a call; no node estimates less.
    ///
    /// The least of the block's revision and of those after it: a chain changes before this list of
    /// them does.
    func minimumEstimate(of request: CallRequest, in block: Block) -> UInt64 {
        let earliest = listedRevision(in: block) ?? .cancun
        let costs = Revision.allCases.filter { $0 >= earliest }.map {
            TransactionGas($0).intrinsic(data: request.data, accessList: request.accessList)
        }
        return costs.min() ?? 0
    }

    /// The least gas limit that nodes take for such data, as far as the chain's rules are known.
    func minimumLimit(of request: CallRequest, in block: Block) -> UInt64 {
        guard let revision = listedRevision(in: block) else {
            return minimumEstimate(of: request, in: block)
        }
        return TransactionGas(revision)
            .minimumLimit(data: request.data, accessList: request.accessList)
    }

    /// The least gas limit that nodes take for a transaction of this size; zero without such a rule.
    ///
    /// With blocks of 1.5 MiB and 15,000,000 gas, a transaction of 10,000 bytes needs 95,368.
    func gasForSize(of request: CallRequest, in block: Block) -> UInt64 {
        guard let blockBytes else { return 0 }
        let keys = request.accessList.reduce(0) { $0 + 53 + 33 * $1.storageKeys.count }
        // Signature, price, value and the rest take at most 200 bytes.
        let size = UInt64(request.data.count + keys + 200)
        let share = UInt256.mulDiv(UInt256(size), UInt256(block.gasLimit), UInt256(blockBytes))
        return share?.quotient.uint64?.addingSaturating(1) ?? .max
    }

    /// The gas limit in percent of the estimate, at most what the chain's charge allows.
    ///
    /// Where the limit is paid, a margin costs as much as it adds: a tenth is enough, and a plain
    /// payment needs none.
    func margin(_ percent: UInt64, of request: CallRequest, estimate: UInt64) -> UInt64 {
        guard charged == .limit else { return percent }
        return request.data.isEmpty && estimate == TransactionGas.payment
            ? 100 : min(percent, Self.paidMargin)
    }

    private static let paidMargin: UInt64 = 110
}
