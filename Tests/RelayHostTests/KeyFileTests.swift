import DexCore
import DexRelay
import FoundationEssentials
import Logging
import Synchronization
import Testing

@testable import RelayHost

/// The keys of clients beside relay.toml, and what a running relay takes of them.
@Suite struct KeyFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "keys-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var file: KeyFile { KeyFile(settings: "\(folder.path)/relay.toml") }

    private static func key(
        _ name: String,
        _ change: (inout RelayKey.Limits) -> Void = { _ in }
    ) throws -> RelayKey {
        var generator = SystemRandomNumberGenerator()
        let digest = RelayKey.digest(of: RelayKey.text(using: &generator))
        var limits = RelayKey.Limits()
        change(&limits)
        return RelayKey(
            name: name,
            digest: try #require(digest),
            addedAt: 1_700_000_000,
            limits: limits
        )
    }

    private func write(_ keys: RelayKey...) throws {
        try file.change { $0 = keys }
    }

    @Test("what is written is read again, by the service of another user too")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        #expect(try file.keys() == [])
        let keys = [
            try Self.key("one"),
            try Self.key("two") {
                ($0.requestsPerHour, $0.postsPerSecond, $0.postBurst) = (0, 5, 6)
                $0.subscriptionsPerSecond = RelayKey.largestLimit
            },
        ]
        try write(keys[0], keys[1])
        #expect(try file.keys() == keys)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test(
        "a line that is no client is named, and nothing is written over it",
        arguments: [
            "nonsense", "{}", #"{"name":"A","sha256":"0x00","at":1}"#,
            #"{"name":"a","sha256":"0x12","at":1}"#,
        ]
    )
    func faulty(line: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        try write(try Self.key("one"))
        let url = URL(filePath: file.path)
        let text = try String(contentsOf: url, encoding: .utf8)
        for more in [line, String(text.dropLast())] {
            try Data((text + more + "\n").utf8).write(to: url)
            let error = #expect(throws: DexError.self) { try file.keys() }
            #expect(error?.message.contains("relay-keys.jsonl:2: this is not a client") == true)
            #expect(throws: DexError.self) { try write(Self.key("two")) }
            #expect(try String(contentsOf: url, encoding: .utf8) == text + more + "\n")
        }
    }

    @Test("a running relay takes added and removed keys, and keeps them beside a faulty file")
    func watches() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        let (one, two) = (try Self.key("one"), try Self.key("two"))
        let keys = RelayKeys(now: { 1_000 })
        let looks = Mutex(0)
        let counts = Mutex<[Int]>([])
        let file = file
        let lines = Mutex<[String]>([])
        let watch = KeyWatch(
            keys: keys,
            log: RelayLog(form: .text, level: .info, milliseconds: { 0 }) { line in
                lines.withLock { $0.append(line) }
            },
            sleep: { _ in
                let look = looks.withLock { look in
                    look += 1
                    return look
                }
                counts.withLock { $0.append(lines.withLock { $0.count }) }
                switch look {
                case 2: try file.change { $0 = [one] }
                case 5: try Data("nonsense\n".utf8).write(to: URL(filePath: file.path))
                case 8:
                    try FileManager.default.removeItem(atPath: file.path)
                    try file.change { $0 = [one, two] }
                case 12: throw CancellationError()
                default: break
                }
            }
        )
        await watch.run(file)
        let reported = lines.withLock { $0 }
        #expect(reported.count == 3)
        #expect(reported.first?.contains("The keys of clients were read: 1.") == true)
        #expect(
            reported.dropFirst().first?.contains("are unchanged, since the file is faulty") == true
        )
        #expect(reported.last?.contains("The keys of clients were read: 2.") == true)
        #expect(counts.withLock { $0 } == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    }

    /// A store that is away now and then.
    private final class Store: SharedKeys {
        let beats: Mutex<[Int?]>
        let answers: Mutex<[[RelayKey]?]>
        let left = Mutex<[String]>([])
        let (wakeUps, sender) = AsyncStream.makeStream(of: Void.self)

        init(_ beats: [Int?] = [], keys: [[RelayKey]?] = []) {
            self.beats = Mutex(beats.reversed())
            answers = Mutex(keys.reversed())
        }

        func keys() async throws(OrderStoreError) -> [RelayKey] {
            guard let keys = answers.withLock({ $0.popLast() ?? nil }) else {
                throw .unavailable(reason: "it is away")
            }
            return keys
        }

        func add(_ key: RelayKey) async throws(OrderStoreError) -> Bool { true }
        func removeKey(_ name: String) async throws(OrderStoreError) -> Bool { true }

        func beat(_ instance: String) async throws(OrderStoreError) -> Int {
            guard let count = beats.withLock({ $0.popLast() ?? nil }) else {
                throw .unavailable(reason: "it is away")
            }
            return count
        }

        func leave(_ instance: String) async throws(OrderStoreError) {
            left.withLock { $0.append(instance) }
        }

        func operatorWakeUps() -> AsyncStream<Void> { wakeUps }
    }

    @Test("while the store is away an instance keeps its share; at its end it says so")
    func beats() async throws {
        let store = Store([1, 2, nil, nil, 1])
        let keys = RelayKeys(now: { 10_000 })
        let shares = Mutex<[Int]>([])
        let key = try Self.key("maker") { $0.requestsPerHour = 100 }
        keys.replace(with: [key])
        let watch = KeyWatch(
            keys: keys,
            log: RelayLog(form: .text, level: .critical, milliseconds: { 0 }, write: { _ in }),
            sleep: { _ in
                let count = shares.withLock { shares in
                    shares.append(keys.instances)
                    return shares.count
                }
                if count == 5 { throw CancellationError() }
            }
        )
        await watch.beat(store, instance: "me")
        #expect(shares.withLock { $0 } == [1, 2, 2, 2, 1])
        #expect(store.left.withLock { $0 } == ["me"])
    }

    @Test("while the store is away the keys stay, and it says so once; then what changed is taken")
    func follows() async throws {
        let (one, two) = (try Self.key("one"), try Self.key("two"))
        let store = Store(keys: [[one], [one], nil, nil, [one, two]])
        let lines = Mutex<[String]>([])
        let sleeps = Mutex(0)
        let watch = KeyWatch(
            keys: RelayKeys(now: { 1_000 }),
            log: RelayLog(form: .text, level: .info, milliseconds: { 0 }) { line in
                lines.withLock { $0.append(line) }
            },
            sleep: { _ in sleeps.withLock { $0 += 1 } }
        )
        for _ in 0..<3 { store.sender.yield() }
        store.sender.finish()
        await watch.run(store)
        #expect(sleeps.withLock { $0 } == 2)
        let expected = ["were read: 1.", "stay as they are", "were read: 2."]
        let reported = lines.withLock { $0 }
        #expect(reported.count == expected.count)
        for (line, part) in zip(reported, expected) { #expect(line.contains(part), "\(line)") }
    }
}
