import DexCore
import DexSigning
import DexStore
import DexTestSupport
import Ethereum
import Foundation
import ZeroEx

/// One scenario carried out: what the trader lost against the reference, and what went wrong.
struct HostileRun: Sendable {
    /// The taker fees that a trade may cost unasked: 10 ZRX, in wei.
    static let feeCap: UInt256 = 10_000_000_000_000_000

    let scenario: HostileScenario
    /// Which rule was broken, in a sentence; nil for none.
    let fault: String?
    /// Something was sent and mined.
    let isFilled: Bool

    static func run(_ scenario: HostileScenario, on stage: HostileStage) async throws -> Self {
        var orders: [any SignedOrder] = []
        for order in scenario.orders {
            // v4 has no orders of such numbers, so no maker can sign them.
            guard let signed = try? await stage.sign(order, of: scenario) else { continue }
            orders.append(signed)
        }
        let relay = HostileRelay(
            book: RelayOrderbook(
                bids: RelayOrders(orders: scenario.side == .sell ? orders : []),
                asks: RelayOrders(orders: scenario.side == .buy ? orders : [])
            ),
            base: scenario.base.address,
            quote: scenario.quote.address
        )
        let front = FrontrunNode(node: stage.chain) {
            guard scenario.drains else { return }
            try await stage.drain(scenario.side == .buy ? scenario.base : scenario.quote)
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-hostile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = TradeSettings()
        // The books of the scenarios have one side.
        settings.allowsUncheckedPrice = true
        let context = OperationContext(
            session: try stage.session(relay, chain: front),
            journal: Journal(path: folder.appending(path: "journal.sqlite").path),
            settings: settings
        )
        let before = try await stage.balances()
        let result = await trade(scenario, context, try stage.signer())
        let after = try await stage.balances()
        var fault = loss(scenario, before, after)
        var isFilled = false
        switch result {
        case .success(let exit):
            isFilled = true
            // What others take away in the same block is no denial.
            if !scenario.drains, exit != .done { fault = fault ?? "it ends with exit \(exit)" }
        case .failure(let error):
            fault = fault ?? "the honest part would serve it: \(error.code): \(error.message)"
        }
        return HostileRun(scenario: scenario, fault: fault, isFilled: isFilled)
    }

    private static func trade(
        _ scenario: HostileScenario,
        _ context: OperationContext,
        _ signer: AuthorizedSigner
    ) async -> Result<ExitCode, DexError> {
        let request = MarketRequest(
            side: scenario.side,
            pair: "\(scenario.base.symbol)/\(scenario.quote.symbol)",
            amount: DecimalText.format(scenario.amount, decimals: scenario.base.decimals)
        )
        do throws(DexError) {
            let plan = try await MarketOrderModel(context).plan(request, account: signer.address)
            return .success(try await PlanRunner(context).run(plan, signer: signer).exit)
        } catch {
            return .failure(error)
        }
    }

    /// What left is worth more than what came by more than the honest spread, the slippage and the
    /// cap of fees; nil where it is not.
    private static func loss(
        _ scenario: HostileScenario,
        _ before: [EVMToken: UInt256],
        _ after: [EVMToken: UInt256]
    ) -> String? {
        var paid: UInt256 = 0
        var got: UInt256 = 0
        for token in HostileStage.tokens {
            let (old, new) = (before[token] ?? 0, after[token] ?? 0)
            let change = old > new ? old - new : new - old
            let value = HostileScenario.times(
                change,
                HostileScenario.value(of: token),
                1_000_000_000_000_000_000
            )
            if old > new { paid += value } else { got += value }
        }
        // A book at 100.3 with a slippage of 1 %: 101.303, and a little for rounding.
        let share = HostileScenario.times(paid, 131, 10_000)
        let allowed = share + feeCap + 1_000_000
        guard paid > got, paid - got > allowed else { return nil }
        return "it lost \(DecimalText.format(paid - got, decimals: 18)) of "
            + "\(DecimalText.format(paid, decimals: 18)) ether, and "
            + "\(DecimalText.format(allowed, decimals: 18)) are allowed"
    }
}
