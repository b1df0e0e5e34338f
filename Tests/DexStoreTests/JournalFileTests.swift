import Ethereum
import FoundationEssentials
import GRDB
import Testing

@testable import DexStore

@Suite("The journal's file")
struct JournalFileTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// Touches the journal.
    private func use(_ journal: Journal) throws -> JournalOrder? {
        try journal.order(.init(UInt256(1).word))
    }

    @Test("nothing is made before the first call")
    func lazily() throws {
        let test = TestJournal()
        #expect(!FileManager.default.fileExists(atPath: test.folder.path))
        _ = try use(test.journal)
        #expect(FileManager.default.fileExists(atPath: test.path))
    }

    @Test("only the owner can read the file, its companions and its folder")
    func permissions() throws {
        let test = TestJournal()
        try test.sign(1)
        #expect(try mode(test.path) == 0o600)
        #expect(try mode(test.path + "-wal") == 0o600)
        #expect(try mode(test.folder.appending(path: "data").path) == 0o700)
    }

    @Test("a file that others could read is taken away from them")
    func tightens() throws {
        let test = TestJournal()
        _ = try use(test.journal)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: test.path)
        _ = try use(Journal(path: test.path))
        #expect(try mode(test.path) == 0o600)
    }

    @Test("it is written ahead and synchronised at every commit")
    func durability() throws {
        let test = TestJournal()
        let settings = try test.journal.read { database in
            try ["journal_mode", "synchronous", "foreign_keys"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(settings == ["wal", "2", "1"])
    }

    @Test("a file that is no database is told as damaged, and left alone")
    func notADatabase() throws {
        let test = TestJournal()
        let folder = test.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let garbage = Data(repeating: 0x41, count: 4_096)
        try garbage.write(to: URL(filePath: test.path))
        #expect(throws: JournalError.corrupt(path: test.path)) { try use(test.journal) }
        #expect(try Data(contentsOf: URL(filePath: test.path)) == garbage)
    }

    @Test("another program's database is refused, and left alone")
    func foreign() throws {
        let test = TestJournal()
        let folder = test.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let other = try DatabaseQueue(path: test.path)
        try other.write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
        try other.close()
        let before = try Data(contentsOf: URL(filePath: test.path))
        #expect(throws: JournalError.foreign(path: test.path)) { try use(test.journal) }
        #expect(try Data(contentsOf: URL(filePath: test.path)) == before)
    }

    @Test("a journal of a later version is refused")
    func newer() throws {
        let test = TestJournal()
        _ = try use(test.journal)
        let other = try DatabaseQueue(path: test.path)
        try other.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v99')")
        }
        try other.close()
        #expect(throws: JournalError.newer(path: test.path)) {
            try use(Journal(path: test.path))
        }
    }

    @Test("a folder that cannot be made is told with its reason")
    func notWritable() throws {
        let error = #expect(throws: JournalError.self) {
            try use(Journal(path: "/proc/none/journal.sqlite"))
        }
        guard case .notWritable(let path, let reason) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(path == "/proc/none/journal.sqlite")
        #expect(!reason.isEmpty)
    }

    @Test("a path with a zero byte is refused")
    func zeroByte() {
        #expect(throws: JournalError.self) { try use(Journal(path: "/tmp/a\0b")) }
    }

    @Test("a full disk is told as such, and nothing half is kept")
    func full() throws {
        let test = TestJournal()
        _ = try test.journal.open(TestJournal.intent)
        // The file may grow no further, as on a full disk.
        try test.journal.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        #expect(throws: JournalError.full(path: test.path)) {
            _ = try test.journal.open(
                JournalIntent(
                    chainID: TestJournal.intent.chainID,
                    account: TestJournal.alice,
                    command: "market-buy",
                    plan: String(repeating: "x", count: 4_000_000),
                    created: TestJournal.now
                )
            )
        }
        #expect(try test.journal.unsettled(chainID: 1, sender: TestJournal.alice).isEmpty)
    }

    @Test("every error is a whole sentence, and those a user can mend say how")
    func sentences() {
        let errors: [JournalError] = [
            .notWritable(path: "/p", reason: "no"), .corrupt(path: "/p"), .foreign(path: "/p"),
            .newer(path: "/p"), .full(path: "/p"), .busy(path: "/p"),
            .reservationLost(nonce: 4), .outOfRange("the nonce"),
            .notReplaceable(TestJournal.hash(1)),
            .failed(path: "/p", reason: "disk I/O error"),
        ]
        for error in errors {
            #expect(error.description.hasSuffix("."))
            #expect(error.description.first?.isUppercase == true)
        }
        #expect(errors.filter { $0.hint == nil }.count == 2)
    }
}
