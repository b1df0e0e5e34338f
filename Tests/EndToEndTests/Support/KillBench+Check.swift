import DexStore
import DexTestSupport
import Foundation
import StrictJSON
import Testing

extension KillBench {
    /// One answer of `dex resume`.
    struct Reported {
        let run: Run
        let items: [JSONValue]

        init(_ run: Run) throws {
            self.run = run
            items = try #require(run.json?["data"]?["items"]?.arrayValue, "\(run)")
        }

        func item(of hash: String) -> JSONValue? {
            items.first { $0["hash"]?.stringValue == hash }
        }
    }

    /// Does what a user does after a command was broken off, and holds what is told against what
    /// is so.
    ///
    /// - Parameter isRepeated: the command is repeated before `dex resume`.
    func check(_ first: Run, isRepeated: Bool, _ words: String) async throws {
        var story = words
        var last = first
        // Whoever was told that it is done does not repeat it.
        if isRepeated, first.json?["status"] != "ok" {
            last = try await run()
            story += "\nrepeated: \(last)"
            try checkRepeated(last, after: first, story)
        }
        let reported = try Reported(try await run(["resume"]))
        story += "\nresume: \(reported.run)"
        let truth = try truth()
        if command == .replace {
            return try await checkReplaced(reported, truth, after: [first, last], story)
        }
        checkReported(reported, truth, first: first, last: last, story)
        // What is not done is run again, and is done then: once.
        if !isDone(truth) {
            let again = try await run()
            story += "\nonce more: \(again)"
            #expect(again.exit == 0, "\(story)")
        }
        try await checkEnd("\(story)")
    }

    /// A script that repeats what was killed trades once.
    private func checkRepeated(_ again: Run, after first: Run, _ story: String) throws {
        let truth = try truth()
        // The relay may show the old order beside the new one until it saw the cancel's block.
        #expect(truth.fills <= 1 && truth.orders <= (command == .replace ? 2 : 1), "\(story)")
        let stops = [
            "resumed": Int32(12), "pending-transaction": 12, "unacknowledged-fill": 6,
            "unacknowledged-swap": 6, "unacknowledged-order": 6,
            "not-open": 6, "unknown-order": 2,
        ]
        #expect(again.exit == stops[again.code] ?? 0, "\(story)")
        // A half replaced order is done no further by a repeat.
        guard command != .replace else { return }
        if again.exit == 0 || again.code.hasPrefix("unseen") || again.exit == 2 {
            #expect(isDone(truth), "\(story)")
        }
    }

    /// Never both orders, never two new ones; what is half done is told as that.
    private func checkReplaced(
        _ reported: Reported,
        _ truth: Truth,
        after runs: [Run],
        _ story: String
    ) async throws {
        #expect(reported.run.exit == 0, "\(story)")
        #expect(
            truth.recorded <= 1 && (truth.recorded == 0 || truth.cancelled > .zero),
            "\(truth) \(story)"
        )
        let left = try unfinished()
        #expect(
            left.transactions.isEmpty && left.reservations.isEmpty && left.intents.isEmpty
                && left.orders.isEmpty,
            "\(left) \(story)"
        )
        guard truth.cancelled > .zero else {
            // Nothing is done: it is run once more, and is done then.
            let again = try await run()
            let end = try self.truth()
            #expect(again.exit == 0 && isDone(end), "\(story)\nonce more: \(again)")
            return
        }
        if truth.recorded == 0, runs.allSatisfy({ $0.json == nil || $0.code == "not-open" }) {
            let notes = reported.items.filter {
                $0["kind"] == "intent" && $0["purpose"] == "replace"
            }
            .flatMap { $0["notes"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
            #expect(notes.contains { $0.contains("the new order was not") }, "\(story)")
        }
        // A repeat of what is done, or half done, places no other order.
        let again = try await run()
        // The relay may show the cancelled order no more, and this journal never had it.
        let isRefused =
            again.code == "not-open" && again.exit == 6
            || again.code == "unknown-order" && again.exit == 2
        #expect(isRefused, "\(story)\nonce more: \(again)")
        #expect(try self.truth().recorded == truth.recorded, "\(story)")
    }

    /// What happened is told, all of it and nothing else.
    private func checkReported(
        _ reported: Reported,
        _ truth: Truth,
        first: Run,
        last: Run,
        _ story: String
    ) {
        #expect(reported.run.exit == 0, "\(story)")
        for item in reported.items {
            #expect(item["inFlight"] == false, "\(story)")
            let notes = item["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(!notes.isEmpty && notes.allSatisfy { $0.hasSuffix(".") }, "\(story)")
        }
        // Whoever has an answer was told by it.
        guard last.json == nil else {
            #expect(truth.fills <= 1 && truth.orders <= 1, "\(story)")
            return
        }
        for hash in first.transactions {
            let item = reported.item(of: hash)
            #expect(item?["status"] == "mined", "\(hash) is not told: \(story)")
        }
        let fills = reported.items.flatMap { $0["outcome"]?["fills"]?.arrayValue ?? [] }
        if command.buys { #expect(fills.count == (truth.fills == 1 ? 1 : 0), "\(story)") }
        switch command {
        case .placeLimit:
            let orders = reported.items.filter { $0["kind"] == "order" }
            #expect(orders.count == truth.orders, "\(story)")
            #expect(orders.allSatisfy { $0["status"] == "posted" }, "\(story)")
        case .firstBuy, .marketBuy, .firstSwap, .approve, .cancel, .replace: break
        }
        // What was begun and came to nothing is told to have come to nothing.
        if !isDone(truth), truth.mined > 0 || !reported.items.isEmpty {
            // By its nonce where it had one, else by its command.
            let name = command.command
            #expect(
                reported.items.contains {
                    $0["kind"] == "reservation"
                        || $0["kind"] == "intent" && $0["purpose"] == .string(name)
                },
                "\(story)"
            )
        }
    }

    /// It is done, once; the journal has what the chain has; nothing is left, and nothing is in
    /// the way of what comes next.
    private func checkEnd(_ story: String) async throws {
        let truth = try truth()
        #expect(isDone(truth), "\(truth) \(story)")
        // What the two commands read; a process for each of hundreds of cases takes its time.
        let left = try unfinished()
        #expect(
            left.transactions.isEmpty && left.reservations.isEmpty && left.intents.isEmpty
                && left.orders.isEmpty,
            "\(left) \(story)"
        )
        if command == .placeLimit { #expect(try ownOrders() == 1, "\(story)") }
        if KillSettings.process.isComplete {
            let own = try await run(["orders", "--mine"])
            let rows = own.json?["data"]?["orders"]?.arrayValue
            #expect(command != .placeLimit || rows?.count == 1, "\(own) \(story)")
            let nothing = try Reported(try await run(["resume"]))
            #expect(nothing.run.exit == 0 && nothing.items.isEmpty, "\(nothing.run) \(story)")
        }
        let next = try await run(["allowance", "set", "WETH", "3"])
        #expect(next.exit == 0, "\(next) \(story)")
        let end = try self.truth()
        #expect(end.mined == truth.mined + 1 && end.pending == end.mined, "\(end) \(story)")
        let journal = try journal()
        #expect(journal.allSatisfy { $0.stage == .mined }, "\(journal) \(story)")
        #expect(journal.count == Int(end.mined), "\(story)")
        #expect(Set(journal.map(\.nonce)).count == journal.count, "\(story)")
    }
}
