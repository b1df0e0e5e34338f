package import Logging

/// The operator's policy as a program that stays: a JSON line for each question, a line back.
///
/// It fails closed. A program that crashes, is silent or writes nonsense refuses every order that
/// waits for it; it is ended and started again, after a pause that doubles each time.
package actor PolicyProgram: OrderPolicy {
    package struct Settings: Hashable, Sendable {
        /// A path or a name in the folders of PATH, and its arguments; no shell reads them.
        package var command: [String]
        /// Its variables, `NAME=value`.
        package var environment: [String]
        /// The longest time for a verdict.
        package var patience = Duration.seconds(2)
        /// The most questions without an answer.
        package var maximumWaiting = 512
        /// The most bytes of an answer.
        package var longestLine = 16 * 1_024

        package init(command: [String], environment: [String]) {
            self.command = command
            self.environment = environment
        }
    }

    private let settings: Settings
    private let sleep: @Sendable (Duration) async throws -> Void
    private let uptime: @Sendable () -> UInt64
    private let logger: Logger

    private var running: Running?
    /// The conversations with processes, also with those that are being ended.
    private var conversations: [ObjectIdentifier: Task<Void, Never>] = [:]
    private var lastID: UInt64 = 0
    private var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    /// Questions whose time passed; an answer may still come.
    private var late: Set<UInt64> = []
    /// Ends in a row without a verdict between them.
    private var failures = 0
    /// Why it is not running, and when it may start again, in milliseconds.
    private var pause: (reason: String, end: UInt64)?
    private var isClosed = false

    private typealias Outcome = Result<PolicyVerdict, OrderPolicyError>

    private struct Running {
        let process: PolicyProcess
        /// The question before its first.
        let firstID: UInt64
        /// The last question that had an answer or was asked when the last answer came.
        var answeredUpTo: UInt64
    }

    /// The pause after a first failure and the longest one, in milliseconds.
    private static let pauses: ClosedRange<UInt64> = 500...30_000

    /// The program starts with the first question.
    ///
    /// - Parameters:
    ///   - sleep: waits, or throws as soon as it is cancelled.
    ///   - uptime: milliseconds of a clock that never goes back.
    package init(
        _ settings: Settings,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        uptime: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.settings = settings
        self.sleep = sleep
        self.uptime = uptime
        self.logger = logger
    }

    package func verdict(
        on question: PolicyQuestion
    ) async throws(OrderPolicyError) -> PolicyVerdict {
        guard open < settings.maximumWaiting else {
            throw .unavailable(reason: "\(settings.maximumWaiting) questions have no answer yet")
        }
        let process = try start()
        lastID += 1
        let id = lastID
        let line = PolicyLine.question(id, question)
        let deadline = Deadline(limit: settings.patience, sleep: sleep)
        let outcome = await deadline.result { await self.ask(id, line, process) }
        guard let outcome else { throw miss(id) }
        return try outcome.get()
    }

    /// The questions without an answer.
    var open: Int { waiting.count + late.count }

    /// Ends the program; every later question is refused.
    package func close() async {
        isClosed = true
        running?.process.kill()
        for conversation in conversations.values { await conversation.value }
    }

    // MARK: Asking

    private func ask(_ id: UInt64, _ line: [UInt8], _ process: PolicyProcess) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It ended, or the caller left, before this came to run.
                guard running?.process === process, !Task.isCancelled else {
                    let reason = pause?.reason ?? "it ended"
                    continuation.resume(returning: .failure(.unavailable(reason: reason)))
                    return
                }
                waiting[id] = continuation
                process.send(line)
            }
        } onCancel: {
            Task { await leave(id) }
        }
    }

    private func leave(_ id: UInt64) {
        guard let continuation = waiting.removeValue(forKey: id) else { return }
        late.insert(id)
        continuation.resume(returning: .failure(.unavailable(reason: "nobody waits for it")))
    }

    /// A question's time passed.
    private func miss(_ id: UInt64) -> OrderPolicyError {
        let reason = "it does not answer within \(settings.patience)"
        // Nothing at all since the question: it is stuck.
        if let running, running.firstID < id, running.answeredUpTo < id {
            logger.warning("The policy program is ended: \(reason).")
            fail(running, reason)
        }
        return .unavailable(reason: reason)
    }

    // MARK: The program

    private func start() throws(OrderPolicyError) -> PolicyProcess {
        if let running { return running.process }
        guard !isClosed else { throw .unavailable(reason: "the relay is stopping") }
        if let pause, uptime() < pause.end { throw .unavailable(reason: pause.reason) }
        let process: PolicyProcess
        do throws(PolicyProcess.StartError) {
            process = try PolicyProcess(
                settings.command,
                environment: settings.environment,
                longestLine: settings.longestLine
            )
        } catch {
            let reason = "\(settings.command.first ?? "") cannot start: \(error.reason)"
            logger.error("The policy program cannot start: \(error.reason).")
            wait(after: reason)
            throw .unavailable(reason: reason)
        }
        logger.info("The policy program runs.")
        conversations[ObjectIdentifier(process)] = Task {
            let end = await process.run { line in await self.receive(line, from: process) }
            ended(process, end)
        }
        running = Running(
            process: process,
            firstID: lastID,
            answeredUpTo: lastID
        )
        return process
    }

    /// - Returns: false if the program is to be ended.
    private func receive(_ line: [UInt8], from process: PolicyProcess) -> Bool {
        guard let running, running.process === process else { return false }
        switch PolicyLine.answer(line) {
        case .verdict(let id, let verdict):
            guard check(id, running) else { return false }
            failures = 0
            answer(id, .success(verdict))
        case .unclear(let id, let reason):
            guard check(id, running) else { return false }
            answer(id, .failure(.unavailable(reason: reason)))
        case .nonsense(let reason):
            fail(running, "it wrote \(reason)")
            return false
        }
        return true
    }

    /// The id is that of a question to this process.
    private func check(_ id: UInt64, _ running: Running) -> Bool {
        if running.firstID < id, id <= lastID { return true }
        fail(running, "it answered a question that it was not asked")
        return false
    }

    private func answer(_ id: UInt64, _ outcome: Outcome) {
        running?.answeredUpTo = lastID
        late.remove(id)
        waiting.removeValue(forKey: id)?.resume(returning: outcome)
    }

    private func ended(_ process: PolicyProcess, _ reason: String) {
        conversations[ObjectIdentifier(process)] = nil
        guard let running, running.process === process else { return }
        fail(running, reason)
    }

    /// Refuses all that wait for a program, and ends it.
    private func fail(_ running: Running, _ reason: String) {
        self.running = nil
        running.process.kill()
        if !isClosed { logger.error("The policy program failed: \(reason).") }
        wait(after: reason)
        late = []
        let questions = waiting
        waiting = [:]
        for continuation in questions.values {
            continuation.resume(returning: .failure(.unavailable(reason: reason)))
        }
    }

    private func wait(after reason: String) {
        let doublings = min(failures, 16)
        failures += 1
        let length = min(Self.pauses.upperBound, Self.pauses.lowerBound << UInt64(doublings))
        pause = (reason, uptime() &+ length)
    }
}
