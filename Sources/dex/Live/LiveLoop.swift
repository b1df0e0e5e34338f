import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum
import ZeroEx

/// Runs the full screen: events into the model, its effects into the world, its state on the
/// terminal.
actor LiveLoop {
    private let desk: LiveDesk
    private let terminal: LiveTerminal
    private var screen: LiveScreen
    private var model: LiveModel
    private var pacer = FramePacer()
    private let interest = VisibleOrders()
    private let events: AsyncStream<LiveEvent>
    private let sink: AsyncStream<LiveEvent>.Continuation
    private var feeds: Task<Void, Never>?
    private var planning: Task<Void, Never>?
    private var frame: Task<Void, Never>?
    private var pairs: Task<Void, Never>?
    private var isOver = false
    /// The state's revision on the terminal.
    private var drawn = -1
    private var shown: Grid?

    init(_ desk: LiveDesk, _ terminal: LiveTerminal, _ state: LiveState, zone: LocalTime) {
        self.desk = desk
        self.terminal = terminal
        screen = LiveScreen(zone: zone)
        model = LiveModel(state, slippage: Self.percent(desk.settings.slippage))
        (events, sink) = AsyncStream.makeStream(of: LiveEvent.self)
    }

    private static func percent(_ basisPoints: UInt64) -> String {
        DecimalText.format(UInt256(basisPoints), decimals: 2)
    }

    /// Until the trader leaves, or the task is cancelled.
    ///
    /// - Returns: what is in flight then.
    func run() async -> [TransactionsState.Row] {
        let sink = sink
        let keys = Task { [terminal] in
            for await event in terminal.events {
                switch event {
                case .key(let key): sink.yield(.key(key))
                case .mouse(let mouse): self.point(mouse)
                case .resized(let columns, let rows):
                    sink.yield(.resized(columns: columns, rows: rows))
                case .hangup: sink.finish()
                }
            }
            sink.finish()
        }
        let clock = Task { [environment = desk.session.environment] in
            while !Task.isCancelled {
                sink.yield(.tick(now: environment.now(), elapsed: environment.elapsed()))
                guard await environment.hasSlept(1_000) else { return }
            }
        }
        let guards = Task { [desk] in await LiveGuards(desk: desk).run { sink.yield($0) } }
        follow(model.state.pairText, generation: model.state.generation)
        await withTaskCancellationHandler {
            for await event in events {
                let effects = model.take(event)
                for effect in effects { await carryOut(effect) }
                if isOver { break }
                switch event {
                case .key, .mouse: draw(isUrgent: true)
                case .tick: draw(isUrgent: false)
                default:
                    guard model.state.revision != drawn else { continue }
                    draw(isUrgent: false)
                }
            }
        } onCancel: {
            sink.finish()
        }
        for task in [keys, clock, guards, feeds, planning, pairs, frame] { task?.cancel() }
        return model.state.inFlight
    }

    /// What the trader sees at the cell is meant.
    private func point(_ mouse: MouseInput) {
        let target = shown?.target(row: mouse.row, column: mouse.column)
        sink.yield(.mouse(mouse.action, on: target))
    }

    // MARK: Frames

    private func draw(isUrgent: Bool) {
        let now = desk.session.environment.elapsed()
        let delay = pacer.delay(at: now, isUrgent: isUrgent)
        guard delay > 0 else { return paint(at: now) }
        // A later frame is on its way, unless this one must come sooner.
        if frame != nil, !isUrgent { return }
        frame?.cancel()
        frame = Task { [weak self, sleep = desk.session.environment.sleep] in
            do { try await sleep(delay) } catch { return }
            await self?.paintNow()
        }
    }

    private func paintNow() {
        frame = nil
        paint(at: desk.session.environment.elapsed())
    }

    private func paint(at now: UInt64) {
        guard !isOver else { return }
        frame?.cancel()
        frame = nil
        pacer.drew(at: now)
        if drawn != model.state.revision { interest.set(model.inSight) }
        drawn = model.state.revision
        let grid = screen.grid(model.state)
        shown = grid
        terminal.paint(grid)
        _ = model.take(.painted)
        if case .outcome = model.state.mode { desk.context.reported.write(desk.context.console) }
    }

    // MARK: Effects

    private func carryOut(_ effect: LiveEffect) async {
        switch effect {
        case .follow(let pair, let generation): follow(pair, generation: generation)
        case .readPairs: readPairs()
        case .plan(let entry):
            plan { [desk] environment in
                try await desk.plan(try desk.request(entry), environment)
            }
        case .planCancel(let hash):
            plan { [desk] environment in try await desk.plan(.cancel(hash), environment) }
        case .dropPlan:
            planning?.cancel()
            planning = nil
        case .carryOut(let plan): await sign(plan)
        case .explain(let hash): explain(hash)
        case .copy(let text): terminal.copy(text)
        case .suspend: terminal.suspend()
        case .quit: isOver = true
        }
    }

    private func follow(_ pair: String, generation: Int) {
        feeds?.cancel()
        let (feeds, sink) = (LiveFeeds(desk: desk, interest: interest), sink)
        self.feeds = Task { await feeds.run(pair, generation: generation) { sink.yield($0) } }
    }

    private func readPairs() {
        pairs?.cancel()
        let sink = sink
        let model = MarketPairsModel(
            session: desk.session,
            journal: desk.journal,
            settings: desk.readSettings
        )
        pairs = Task {
            do throws(DexError) {
                sink.yield(.pairs(try await model.traded()))
            } catch {
                if !Task.isCancelled { sink.yield(.pairsUnread(error)) }
            }
        }
    }

    /// What an operation tells goes to the screen.
    private var environment: Environment {
        let sink = sink
        var environment = desk.session.environment
        environment.progress = { sink.yield(.progress($0)) }
        environment.warn = { sink.yield(.progress($0)) }
        environment.waiting = { sink.yield(.waiting($0)) }
        return environment
    }

    private func plan(_ make: @escaping @Sendable (Environment) async throws -> any RunnablePlan) {
        planning?.cancel()
        let (sink, environment) = (sink, environment)
        planning = Task {
            do {
                let plan = try await make(environment)
                if !Task.isCancelled { sink.yield(.planned(plan)) }
            } catch {
                if !Task.isCancelled { sink.yield(.notPlanned(Failure.describe(error))) }
            }
        }
    }

    private func sign(_ plan: any RunnablePlan) async {
        let signer: AuthorizedSigner
        do {
            // A locked wallet's password is asked for below the screen, as by every command.
            signer =
                desk.asksForPassword
                ? try await terminal.released { try await desk.signer() } : try await desk.signer()
        } catch {
            sink.yield(.failed(Failure.describe(error)))
            return
        }
        desk.context.signingMark.pass()
        let sink = sink
        // Not cancelled with the screen: what is sent is waited for, or is in the journal.
        Task {
            do {
                sink.yield(.done(try await plan.run(signer)))
            } catch {
                sink.yield(.failed(Failure.describe(error)))
            }
        }
    }

    private func explain(_ hash: OrderHash) {
        let sink = sink
        let model = WhyModel(
            session: desk.session,
            journal: desk.journal,
            settings: desk.readSettings
        )
        let account = desk.account?.address
        Task {
            do throws(DexError) {
                sink.yield(.reason(try await model.load(hash, account: account)))
            } catch {
                sink.yield(.note(error.message, isFailure: true))
            }
        }
    }
}
