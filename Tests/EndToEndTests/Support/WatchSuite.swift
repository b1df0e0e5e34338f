import DexTestSupport
import StrictJSON
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
            #expect(envelope["schema"] == "dex/1" && envelope["command"] == "watch")
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

    /// `fill`, `undone sent` and the like.
    func words(_ events: [JSONValue]) -> [String] {
        events.map { event in
            let phase = event["phase"]?.stringValue ?? ""
            return (phase == "new" ? "" : "\(phase) ") + (event["event"]?.stringValue ?? "")
        }
    }
}
