import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import GRDB
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A suite about guards on the simulated chain.
protocol GuardSuite: Sendable {
    var market: LiveMarket { get }
}

extension GuardSuite {
    func model() throws -> GuardsModel {
        GuardsModel(session: try market.session(), journal: market.journal)
    }

    /// A stop-loss: sell ZRX once the bid is 0.01 or less, at 1 % slippage.
    func add(
        _ amount: String = "100",
        pair: String = "ZRX/WETH",
        side: TradeSide = .sell,
        price: String = "0.01",
        slippage: UInt64 = 100
    ) async throws -> JournalGuard {
        let model = try model()
        let plan = try await model.plan(
            GuardRequest(
                side: side,
                pair: pair,
                amount: amount,
                trigger: .below,
                price: price,
                slippage: slippage,
                allowsImmediate: true,
                allowsUnfunded: true
            ),
            account: market.trader.address
        )
        return try await model.add(plan, signer: market.signer)
    }

    func bid(
        _ weth: String,
        for zrx: String = "1000",
        salt: UInt256 = 1
    ) async throws -> any SignedOrder {
        try await market.order(
            by: market.makers[2],
            give: (TestMarket.weth, weth),
            get: (TestMarket.zrx, zrx),
            salt: salt
        )
    }

    func runner() throws -> GuardRunner {
        GuardRunner(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings(),
            account: market.trader.address
        )
    }

    func book() async throws -> BookSnapshot {
        let session = try market.session()
        return try await BookReader(session: session).snapshot(
            of: try await TokenResolver(session: session).pair("ZRX/WETH"),
            account: market.trader.address
        )
    }

    /// Changes the guards' rows as another program could.
    func edit(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: market.journal.path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Runs the guards; `step` happens before each look but the first, in a block of its own.
    func run(
        log: GuardLog = GuardLog(),
        key: GuardRunner.Key? = nil,
        _ step: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> DexError? {
        let looks = Mutex(0)
        var session = try market.session()
        session.environment.sleep = { [market] milliseconds in
            let number = looks.withLock { number in
                number += 1
                return number
            }
            if number > 50 { throw CancellationError() }
            try await step(number)
            try await market.clock.environment.sleep(milliseconds)
            try await market.chain.mine()
        }
        var loop = GuardLoop(
            session: session,
            journal: market.journal,
            settings: TradeSettings(),
            account: market.trader.address,
            report: { log.add($0) }
        )
        let signer = market.signer
        return try await loop.run(key: key ?? { signer })
    }
}

/// What happened to guards.
final class GuardLog: Sendable {
    private let reports = Mutex<[GuardReport]>([])

    func add(_ report: GuardReport) { reports.withLock { $0.append(report) } }

    var held: [String] {
        reports.withLock { reports in
            reports.compactMap { if case .held(_, let reason) = $0 { reason } else { nil } }
        }
    }

    var isFiring: Bool {
        reports.withLock { $0.contains { if case .firing = $0 { true } else { false } } }
    }

    var fired: [Int64] {
        reports.withLock { reports in
            reports.compactMap { if case .fired(let made, _) = $0 { made.id } else { nil } }
        }
    }

    var outcomes: [TradeOutcome] {
        reports.withLock { reports in
            reports.compactMap { if case .fired(_, let outcome) = $0 { outcome } else { nil } }
        }
    }
}
