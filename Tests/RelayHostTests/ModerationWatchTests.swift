import DexCore
import DexRelay
import DexTestSupport
import Ethereum
import FoundationEssentials
import Logging
import Synchronization
import Testing
import ZeroEx

@testable import RelayHost

/// What a running relay takes over of the operator's decisions.
@Suite struct ModerationWatchTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "moderation-watch-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var file: ModerationFile { ModerationFile(settings: "\(folder.path)/relay.toml") }

    private func append(_ maker: UInt64) throws {
        try file.append(
            ModerationDecision(
                time: 1_700_000_000,
                action: .hide,
                subject: .maker(Address(truncating: UInt256(maker).word)),
                reason: nil
            )
        )
    }

    @Test("an unchanged file is read twice and then no more; any change is read")
    func reading() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        var reading = ModerationWatch.Reading()
        func isDue() -> Bool { reading.isDue(file.identity) }
        // A missing file costs nothing to read.
        #expect(isDue())
        #expect(isDue())
        try append(1)
        #expect(isDue())
        // It may have been written again within the step of the clock.
        #expect(isDue())
        for _ in 0..<3 { #expect(!isDue()) }
        try append(2)
        #expect(isDue())
        #expect(isDue())
        #expect(!isDue())
        reading.fail()
        #expect(isDue())
    }

    @Test("what is decided while the relay runs is applied, and a faulty file once it is mended")
    func applies() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        let looks = Mutex(0)
        let applied = Mutex<[Int]>([])
        let file = file
        let watch = ModerationWatch(
            file: file,
            live: [:],
            log: RelayLog(form: .text, level: .critical, milliseconds: { 0 }, write: { _ in }),
            sleep: { _ in
                let look = looks.withLock { look in
                    look += 1
                    return look
                }
                switch look {
                case 4: try append(1)
                case 8: try Data("nonsense\n".utf8).write(to: URL(filePath: file.path))
                case 10:
                    try FileManager.default.removeItem(atPath: file.path)
                    try append(2)
                case 14: throw CancellationError()
                default: break
                }
            }
        )
        await watch.run {
            let look = looks.withLock { $0 }
            applied.withLock { $0.append(look) }
        }
        #expect(applied.withLock { $0 } == [1, 4, 10])
    }
}
