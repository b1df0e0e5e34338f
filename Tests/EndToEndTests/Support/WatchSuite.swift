import DexTestSupport
import StrictJSON
import Synchronization
import Testing

/// Tests that watch a sandbox, one look after another.
protocol WatchSuite {
    var dex: DexBinary { get }
}

extension WatchSuite {
    func run(_ arguments: String...) async throws -> JSONValue {
        let run = try await dex.run(arguments + ["--yes", "--json"])
        try #require(run.status == 0, "\(arguments) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    /// The events among the lines that were printed.
    func events(_ text: String) throws -> [JSONValue] {
        try text.split(separator: "\n").compactMap { line in
            let envelope = try JSONParser.parse(text: String(line))
            #expect(envelope["schema"] == "dex/2" && envelope["command"] == "watch")
            let data = try #require(envelope["data"])
            return data["event"] == "status" ? nil : data
        }
    }

    /// One look, in a process of its own.
    func look(_ options: String...) async throws -> [JSONValue] {
        let run = try await dex.run(["watch", "--once", "--json"] + options)
        #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
        return try events(run.stdout)
    }

    /// Kills a look at each of its requests to the node, just after it was carried out; what it
    /// told and what the next look tells are the events, once.
    ///
    /// - Parameters:
    ///   - make: makes these events come about.
    ///   - requests: more than so many there are at least.
    func killAtRequests(
        of sandbox: TestSandbox,
        expecting expected: [String],
        moreThan requests: Int,
        make: () async throws -> Void
    ) async throws {
        var boundary = 0
        var isReached = true
        while isReached {
            try await make()
            let killing = boundary
            let dex = dex
            let hit = Mutex(false)
            let front = try Interposer(before: sandbox.rpc) { _, number in
                guard number == killing else { return .pass }
                return .passThen {
                    hit.withLock { $0 = true }
                    #expect((try? dex.kill()) == 1)
                }
            }
            let broken = try await dex.run("watch --once --json --rpc \(front.url)")
            isReached = hit.withLock { $0 }
            let before = try events(broken.stdout)
            let after = try await look()
            #expect(words(before + after) == expected, "killed at request \(killing)")
            boundary += 1
            try #require(boundary < 30)
        }
        #expect(boundary > requests)
    }

    /// `fill`, `undone sent` and the like.
    func words(_ events: [JSONValue]) -> [String] {
        events.map { event in
            let phase = event["phase"]?.stringValue ?? ""
            return (phase == "new" ? "" : "\(phase) ") + (event["event"]?.stringValue ?? "")
        }
    }
}
