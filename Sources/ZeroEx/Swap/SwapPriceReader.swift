import Ethereum
import StrictJSON

/// Reads what a price and a quote have in common, and compares it with the request.
struct SwapPriceReader {
    private let answer: SwapMembers
    private let request: SwapRequest

    init(_ answer: SwapMembers, _ request: SwapRequest) {
        self.answer = answer
        self.request = request
    }

    /// - Parameter gas: a price has it beside the amounts, a quote in its transaction.
    func price(gas: UInt64?) throws(LiquidityError) -> SwapPrice {
        // Issues come first: a balance that is too small explains the rest.
        let issues = try answer.members("issues")
        let balance = try issues.flatMap { issues throws(LiquidityError) in
            try issues.members("balance")
        }
        let short = try balance.map { balance throws(LiquidityError) in
            try balance.required("actual", balance.amount("actual"))
        }
        let isIncomplete = try issues.flatMap { issues throws(LiquidityError) in
            try issues.flag("simulationIncomplete")
        }
        try checkTerms()
        var price = try amounts()
        price.gas = gas
        price.sources = try sources()
        price.fees = try fees()
        price.transferTax = try transferTax()
        price.block = try answer.number("blockNumber")
        price.id = try answer.text("zid")
        price.shortBalance = short
        price.isSimulated = !(isIncomplete ?? false)
        return price
    }

    private var isExactOut: Bool {
        if case .exactOut = request.amount { true } else { false }
    }

    /// The answer is to this request, as far as it says.
    private func checkTerms() throws(LiquidityError) {
        for (field, asset) in [("sellToken", request.sell), ("buyToken", request.buy)] {
            let expected = ZeroExSwapContracts.addresses(of: asset, chainID: request.chainID)
            if let token = try answer.address(field), !expected.contains(token) {
                throw answer.nonsense(field, "is another token than the requested one")
            }
        }
        // Older answers have no mode and know only fixed amounts to sell.
        let mode = try answer.text("mode") ?? "exact-in"
        guard mode == (isExactOut ? "exact-out" : "exact-in") else {
            throw answer.nonsense("mode", "is another one than the requested one")
        }
        let (field, fixed) =
            switch request.amount {
            case .exactIn(let amount): ("sellAmount", amount)
            case .exactOut(let amount): ("buyAmount", amount)
            }
        if let amount = try answer.amount(field), amount != fixed {
            throw answer.nonsense(field, "is another amount than the requested one")
        }
    }

    private func amounts() throws(LiquidityError) -> SwapPrice {
        switch request.amount {
        case .exactIn(let sold):
            let bought = try answer.required("buyAmount", answer.amount("buyAmount"))
            let minimum = try answer.required("minBuyAmount", answer.amount("minBuyAmount"))
            guard bought > 0 else { throw answer.nonsense("buyAmount", "is zero") }
            guard minimum <= bought else {
                throw answer.nonsense("minBuyAmount", "is more than buyAmount")
            }
            return SwapPrice(sold: sold, maximumSold: sold, bought: bought, minimumBought: minimum)
        case .exactOut(let bought):
            let maximum = try answer.required("maxSellAmount", answer.amount("maxSellAmount"))
            let net = try answer.amount("estimatedNetSellAmount") ?? maximum
            guard net > 0 else {
                throw answer.nonsense("estimatedNetSellAmount", "is zero")
            }
            guard net <= maximum else {
                throw answer.nonsense("estimatedNetSellAmount", "is more than maxSellAmount")
            }
            return SwapPrice(sold: net, maximumSold: maximum, bought: bought, minimumBought: bought)
        }
    }

    private func sources() throws(LiquidityError) -> [SwapPrice.Source] {
        var route = try answer.members("route")
        if isExactOut {
            route = try answer.members("routes").flatMap { routes throws(LiquidityError) in
                try routes.members("forward")
            }
        }
        guard let route else { return [] }
        var sources: [SwapPrice.Source] = []
        for fill in try route.list("fills") {
            sources.append(
                SwapPrice.Source(
                    name: try fill.required("source", fill.text("source")),
                    basisPoints: try fill.required(
                        "proportionBps",
                        fill.basisPoints("proportionBps")
                    )
                )
            )
        }
        return sources
    }

    /// The list of integrators' fees wins over the one fee: it holds that one too.
    private func fees() throws(LiquidityError) -> [SwapPrice.Fee] {
        guard let fees = try answer.members("fees") else { return [] }
        var found: [SwapPrice.Fee] = []
        if let fee = try fees.members("zeroExFee") { found.append(try self.fee(fee, "zeroEx")) }
        let integrators = try fees.list("integratorFees")
        for fee in integrators { found.append(try self.fee(fee, "integrator")) }
        if integrators.isEmpty, let fee = try fees.members("integratorFee") {
            found.append(try self.fee(fee, "integrator"))
        }
        if let fee = try fees.members("gasFee") { found.append(try self.fee(fee, "gas")) }
        return found
    }

    private func fee(
        _ fee: SwapMembers,
        _ kind: String
    ) throws(LiquidityError) -> SwapPrice.Fee {
        let token = try fee.required("token", fee.address("token"))
        let native = ZeroExSwapContracts.addresses(of: .native, chainID: request.chainID)
        return SwapPrice.Fee(
            amount: try fee.required("amount", fee.amount("amount")),
            token: native.contains(token) ? .native : .token(token),
            kind: kind
        )
    }

    private func transferTax() throws(LiquidityError) -> UInt64 {
        guard let metadata = try answer.members("tokenMetadata") else { return 0 }
        var highest: UInt64 = 0
        for token in ["sellToken", "buyToken"] {
            guard let taxes = try metadata.members(token) else { continue }
            for tax in ["buyTaxBps", "sellTaxBps", "transferTaxBps"] {
                highest = max(highest, try taxes.basisPoints(tax) ?? 0)
            }
        }
        return highest
    }
}
