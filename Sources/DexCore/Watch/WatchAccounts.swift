package import Ethereum
import Synchronization

/// A process's right to follow an account.
package enum WatchClaim: Sendable {
    /// It is the one that follows it, while it keeps this.
    case own(any Sendable)
    /// Another process follows it; what that reports is only shown.
    case attached
}

/// `dex watch` of several accounts at once: one account's failure does not stop the others.
package struct WatchAccounts: Sendable {
    /// One account, with all that watching it needs.
    package struct Member: Sendable {
        package let account: Address
        let model: WatchModel
        let claim: @Sendable () throws(DexError) -> WatchClaim
        let tell: @Sendable (WatchStatus) -> Void

        package init(
            account: Address,
            model: WatchModel,
            claim: @escaping @Sendable () throws(DexError) -> WatchClaim,
            tell: @escaping @Sendable (WatchStatus) -> Void
        ) {
            self.account = account
            self.model = model
            self.claim = claim
            self.tell = tell
        }
    }

    private let members: [Member]
    private let environment: Environment

    /// Seconds before a failed account is tried again; they double each time.
    private static let firstWait: UInt64 = 5
    private static let longestWait: UInt64 = 300

    package init(_ members: [Member], environment: Environment) {
        self.members = members
        self.environment = environment
    }

    /// Follows all accounts until it is cancelled or no reader is left.
    ///
    /// An account that fails is reported, and tried again by itself.
    ///
    /// - Throws: the first account's error, if every account failed before any was read.
    package func follow(from start: WatchStart) async throws(DexError) {
        // There is nothing to go on with, so it ends as its account does.
        if members.count == 1, let member = members.first {
            var next: WatchStart? = start
            return try await follow(member, from: &next) {}
        }
        let start = Begun(count: members.count, start)
        await withTaskGroup(of: Void.self) { group in
            for (index, member) in members.enumerated() {
                group.addTask { await keepUp(member, index, start) }
            }
            // Of a cancelled one, of one without a reader, or of all that cannot begin.
            await group.next()
            group.cancelAll()
        }
        if let error = start.hopeless { throw error }
    }

    private func follow(
        _ member: Member,
        from start: inout WatchStart?,
        begun: () -> Void
    ) async throws(DexError) {
        switch try member.claim() {
        case .own(let claim):
            defer { withExtendedLifetime(claim) {} }
            try await member.model.follow(member.account, from: &start, begun: begun)
        case .attached: try await member.model.attach(member.account, begun: begun)
        }
    }

    private func keepUp(_ member: Member, _ index: Int, _ begun: Begun) async {
        var wait = Self.firstWait
        var trouble: DexError?
        var start: WatchStart? = begun.start
        while !Task.isCancelled {
            do throws(DexError) {
                return try await follow(member, from: &start) { begun.began(index) }
            } catch {
                if Task.isCancelled { return }
                if start == nil {
                    wait = Self.firstWait
                } else if begun.failed(index, error) {
                    return
                }
                if trouble?.isLike(error) != true { member.tell(.failing(error)) }
                trouble = error
            }
            guard await environment.hasSlept(wait * 1_000) else { return }
            wait = min(wait * 2, Self.longestWait)
        }
    }

    /// Checks all accounts once, reports everything, and ends.
    ///
    /// - Returns: the sinks that did not accept everything.
    /// - Throws: the first failed account's error, once the others are checked.
    package func once(from start: WatchStart) async throws(DexError) -> [String] {
        var results: [Int: Result<[String], DexError>] = [:]
        await withTaskGroup(of: (Int, Result<[String], DexError>).self) { group in
            for (index, member) in members.enumerated() {
                group.addTask {
                    do throws(DexError) {
                        // Who is attached leaves it to the process that follows the account.
                        guard case .own(let claim) = try member.claim() else {
                            return (index, .success([]))
                        }
                        defer { withExtendedLifetime(claim) {} }
                        return (
                            index,
                            .success(try await member.model.once(member.account, from: start))
                        )
                    } catch {
                        // Of a single one the command's own error says it.
                        if members.count > 1 { member.tell(.unchecked(error)) }
                        return (index, .failure(error))
                    }
                }
            }
            for await (index, result) in group { results[index] = result }
        }
        var left: Set<String> = []
        var failure: DexError?
        var failures = 0
        for index in members.indices {
            switch results[index] {
            case .success(let sinks)?: left.formUnion(sinks)
            case .failure(let error)?:
                failure = failure ?? error
                failures += 1
            case nil: break
            }
        }
        if let failure {
            throw failure.adding(
                failures == members.count
                    ? nil
                    : "\(failures) of \(members.count) accounts could not be checked; the others "
                        + "were."
            )
        }
        return left.sorted()
    }

    /// Which accounts were read at least once.
    private final class Begun: Sendable {
        private struct State {
            var failures: [Int: DexError] = [:]
            var hasBegun = false
        }

        let start: WatchStart
        private let count: Int
        private let state = Mutex(State())

        init(count: Int, _ start: WatchStart) {
            self.count = count
            self.start = start
        }

        func began(_ index: Int) {
            state.withLock { state in
                state.failures[index] = nil
                state.hasBegun = true
            }
        }

        /// Notes a failure before the first reading.
        ///
        /// - Returns: true if no account could be read, so that there is nothing to go on with.
        func failed(_ index: Int, _ error: DexError) -> Bool {
            state.withLock { state in
                state.failures[index] = error
                return !state.hasBegun && state.failures.count == count
            }
        }

        /// The first account's error if no account could be read; nil if one was.
        var hopeless: DexError? {
            state.withLock { state in
                state.hasBegun || state.failures.count < count ? nil : state.failures[0]
            }
        }
    }
}
