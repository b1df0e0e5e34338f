import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum

/// Runs the account's guards while the full screen is open, as `dex guard run` does.
struct LiveGuards: Sendable {
    let desk: LiveDesk

    /// Milliseconds between two looks for guards, and for a wallet that was unlocked.
    private static let interval: UInt64 = 5_000

    /// Until the task is cancelled.
    func run(send: @escaping @Sendable (LiveEvent) -> Void) async {
        guard let account = desk.account, account.key != nil else { return }
        var last: DexError?
        var dead: Set<Int64> = []
        repeat {
            do {
                let model = GuardsModel(session: desk.session, journal: desk.journal)
                let waiting = try model.waiting(account.address)
                guard waiting.contains(where: { $0.neverFires == nil }) else {
                    for made in waiting where dead.insert(made.id).inserted {
                        let report = GuardReport.held(made, made.neverFires ?? "")
                        send(.guarded(report))
                    }
                    continue
                }
                var loop = GuardLoop(
                    session: desk.session,
                    journal: desk.journal,
                    settings: desk.settings,
                    account: account.address,
                    report: { report in
                        if case .firing = report { desk.context.signingMark.pass() }
                        send(.guarded(report))
                        switch report {
                        case .fired, .failed: desk.context.reported.write(desk.context.console)
                        case .begun, .reached, .held, .firing, .failing, .recovered: break
                        }
                    }
                )
                _ = try await loop.run { () throws(DexError) in
                    do { return try desk.signerWithoutQuestion() } catch {
                        throw Failure.describe(error)
                    }
                }
                last = nil
            } catch {
                let failure = Failure.describe(error)
                guard !Task.isCancelled, last?.message != failure.message else { continue }
                last = failure
                send(.guarded(.failing(failure)))
            }
        } while await desk.session.environment.hasSlept(Self.interval)
    }
}
