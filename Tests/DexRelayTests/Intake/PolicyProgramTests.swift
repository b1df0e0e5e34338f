import DexTestSupport
import Ethereum
import Glibc
import Logging
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay

/// Real programs as policies: honest, lying, silent, dying and flooding ones.
@Suite struct PolicyProgramTests {
    /// Reads a line and takes its id, in the shell's words.
    private static let next =
        "IFS= read -r line || exit 0; id=${line#*\\\"id\\\":}; id=${id%%,*}; "
    private static let accept = "printf '{\"id\":%s,\"verdict\":\"accept\"}\\n' \"$id\"; "

    private let clock = ManualClock()

    private func policy(
        _ script: String,
        environment: [String] = [],
        _ change: (inout PolicyProgram.Settings) -> Void = { _ in }
    ) -> PolicyProgram {
        var settings = PolicyProgram.Settings(
            command: ["sh", "-c", script],
            environment: ["PATH=/usr/bin:/bin"] + environment
        )
        change(&settings)
        let clock = clock
        return PolicyProgram(
            settings,
            sleep: clock.sleep,
            uptime: { clock.milliseconds },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func question(salt: UInt64 = 1, client: String = "192.0.2.1") async throws
        -> PolicyQuestion
    {
        let fixture = try RelayFixture()
        return PolicyQuestion(
            entry: try PostSamples.entry(try await fixture.order { $0.salt = UInt256(salt) }),
            version: .v1,
            standing: OrderStanding(fillable: 2000, isPartlyFilled: false),
            client: client
        )
    }

    /// The words of a refusal.
    private func refusal(
        _ policy: PolicyProgram,
        _ question: PolicyQuestion
    ) async -> String {
        do throws(OrderPolicyError) {
            return "\(try await policy.verdict(on: question))"
        } catch {
            switch error {
            case .unavailable(let reason): return reason
            }
        }
    }

    @Test("accept, reject and hide are taken, from one process, in any order of the answers")
    func verdicts() async throws {
        let policy = policy(
            """
            while :; do \(Self.next) first=$id
            case "$line" in
            *'"client":"bad"'*) \
            printf '{"id":%s,"verdict":"reject","reason":"no \\\\u001b[1m taste"}\\n' $id;;
            *'"client":"odd"'*) printf '{"id":%s,"verdict":"hide"}\\n' $id;;
            *'"client":"later"'*) \(Self.next) \(Self.accept) id=$first; \(Self.accept);;
            *) \(Self.accept);;
            esac; done
            """
        )
        #expect(try await policy.verdict(on: question()) == .accept)
        #expect(
            try await policy.verdict(on: question(client: "bad"))
                == .reject(reason: "no [1m taste")
        )
        #expect(try await policy.verdict(on: question(client: "odd")) == .hide)
        let (early, late) = (try await question(client: "later"), try await question(salt: 2))
        async let first = policy.verdict(on: early)
        async let second = policy.verdict(on: late)
        #expect(try await (first, second) == (.accept, .accept))
        await policy.close()
    }

    @Test("a question is one line of JSON with the order as it is on the wire")
    func line() async throws {
        let question = try await question(client: "a\"b\n")
        let line = PolicyLine.question(7, question)
        #expect(!line.contains(UInt8(ascii: "\n")))
        let json = try JSONParser.parse(line)
        #expect(json["id"]?.numberText == "7")
        #expect(json["version"]?.stringValue == "v1")
        #expect(json["client"]?.stringValue == "a\"b\n")
        #expect(json["hash"]?.stringValue == question.entry.hash.hex)
        #expect(json["price"]?.stringValue == "2.000000000000000000")
        #expect(json["makerToken"]?.stringValue == RelayFixture.zrx.lowercaseHex)
        #expect(json["fillable"]?.stringValue == "2000")
        #expect(json["partlyFilled"]?.boolValue == false)
        #expect(json["order"] == ZeroExV1().encodeOrder(question.entry.order))
    }

    @Test("a price below one keeps its zeros, and one that is too large is null")
    func price() async throws {
        let fixture = try RelayFixture()
        func price(_ maker: UInt256, _ taker: UInt256) async throws -> JSONValue? {
            let order = try await fixture.order {
                $0.makerAmount = maker
                $0.takerAmount = taker
            }
            let question = PolicyQuestion(
                entry: try PostSamples.entry(order),
                version: .v1,
                standing: OrderStanding(fillable: 1, isPartlyFilled: true),
                client: ""
            )
            return try JSONParser.parse(PolicyLine.question(1, question))["price"]
        }
        #expect(try await price(4_000_000, 10) == "0.000002500000000000")
        #expect(try await price(3, 1) == "0.333333333333333333")
        #expect(try await price(1, .max) == .null)
    }

    @Test(
        "a program that dies refuses all that wait, with how it ended",
        arguments: [
            ("exit 3", "it ended with status 3"),
            ("\(next) exit 4", "it ended with status 4"),
            ("\(next) printf '{\"id\":1,'; exit 5", "it ended with status 5"),
            ("\(next) kill -9 $$", "it ended"),
            ("exec >&-; exec sleep 1000", "it ended"),
        ]
    )
    func dies(script: String, reason: String) async throws {
        let policy = policy(script)
        let question = try await question()
        #expect(await refusal(policy, question) == reason)
        await policy.close()
    }

    @Test(
        "a program that lies is ended, and refuses the order that it lied about",
        arguments: [
            ("\(next) echo hello", "it wrote a line that is not JSON"),
            ("\(next) echo '{}'", "it wrote a line without the id of a question"),
            ("\(next) echo '{\"id\":\"1\"}'", "it wrote a line without the id of a question"),
            ("\(next) echo '{\"id\":-1}'", "it wrote a line without the id of a question"),
            (
                "\(next) echo '{\"id\":2,\"verdict\":\"accept\"}'",
                "it answered a question that it was not asked"
            ),
            (
                "echo '{\"id\":0,\"verdict\":\"accept\"}'; exec sleep 1000",
                "it answered a question that it was not asked"
            ),
            ("exec yes '{\"id\":99,\"verdict\":\"accept\"}'", "it answered a question that"),
            ("exec yes", "it wrote a line that is not JSON"),
            // It keeps its input open: a question that cannot be written is another end.
            ("yes | tr -d '\\n'", "it wrote a line of more than 16384 bytes"),
            ("exec cat /dev/zero", "it wrote a line of more than 16384 bytes"),
            (
                "\(next) printf '[[[[[[[[[[[[[[1]]]]]]]]]]]]]]\\n'",
                "it wrote a line that is not JSON"
            ),
        ]
    )
    func lies(script: String, reason: String) async throws {
        let policy = policy(script)
        let question = try await question()
        let words = await refusal(policy, question)
        #expect(words.hasPrefix(reason), "\(words)")
        await policy.close()
    }

    @Test("an unknown verdict refuses its own order only")
    func unclear() async throws {
        let policy = policy(
            """
            \(Self.next) printf '{"id":%s,"verdict":"maybe"}\\n' $id
            \(Self.next) printf '{"id":%s}\\n' $id
            while :; do \(Self.next) \(Self.accept) \(Self.accept) done
            """
        )
        let question = try await question()
        let unclear = "its verdict is none of accept, reject and hide"
        #expect(await refusal(policy, question) == unclear)
        #expect(await refusal(policy, question) == unclear)
        // Answered twice each: the second answer has no effect.
        #expect(await refusal(policy, question) == "accept")
        #expect(await refusal(policy, question) == "accept")
        await policy.close()
    }

    @Test(
        "a silent program refuses when the time is over, and is ended",
        arguments: ["while :; do \(next) done", "exec sleep 1000"]
    )
    func silent(script: String) async throws {
        let file = try TemporaryFile()
        let policy = policy(
            "echo $$ > \"$FILE\"; " + script,
            environment: ["FILE=\(file.path)"]
        )
        let question = try await question()
        async let words = refusal(policy, question)
        try await clock.waitForSleepers(1)
        let process = try await file.number()
        clock.advance(by: .seconds(2))
        #expect(await words == "it does not answer within 2.0 seconds")
        await policy.close()
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("a slow program that still answers others is not ended; its late answer is ignored")
    func slow() async throws {
        let policy = policy(
            """
            \(Self.next) first=$id; \(Self.next) \(Self.accept)
            \(Self.next) \(Self.accept) id=$first; \(Self.accept)
            while :; do \(Self.next) \(Self.accept) done
            """
        )
        let (one, two) = (try await question(), try await question(salt: 2))
        async let slow = refusal(policy, one)
        try await clock.waitForSleepers(1)
        #expect(await refusal(policy, two) == "accept")
        clock.advance(by: .seconds(2))
        #expect(await slow == "it does not answer within 2.0 seconds")
        #expect(await refusal(policy, two) == "accept")
        #expect(await refusal(policy, two) == "accept")
        await policy.close()
    }

    @Test("after a crash it starts again, each pause twice the last, until a verdict comes")
    func restarts() async throws {
        let file = try TemporaryFile()
        let policy = policy(
            """
            echo x >> "$FILE"
            if [ $(wc -l < "$FILE") -ge 3 ]; then \(Self.next) \(Self.accept) fi
            exit 7
            """,
            environment: ["FILE=\(file.path)"]
        )
        let question = try await question()
        let dead = "it ended with status 7"
        func starts() throws -> Int { try file.lines() }
        #expect(await refusal(policy, question) == dead)
        for (pause, count) in [(500, 1), (1_000, 2)] {
            clock.advance(by: .milliseconds(pause - 1))
            #expect(await refusal(policy, question) == dead)
            #expect(try starts() == count)
            clock.advance(by: .milliseconds(1))
            #expect(await refusal(policy, question) == (count == 2 ? "accept" : dead))
            #expect(try starts() == count + 1)
        }
        await policy.close()
    }

    @Test("a program that does not exist refuses every order and says why")
    func missing() async throws {
        let policy = policy("") { $0.command = ["/nonexistent/policy"] }
        let question = try await question()
        let words = "/nonexistent/policy cannot start: No such file or directory"
        #expect(await refusal(policy, question) == words)
        #expect(await refusal(policy, question) == words)
        let none = self.policy("") { $0.command = [] }
        #expect(await refusal(none, question).contains("no program is named"))
    }

    @Test("beyond the bound of open questions an order is refused at once")
    func bounded() async throws {
        let policy = policy("while :; do \(Self.next) done") { $0.maximumWaiting = 2 }
        let question = try await question()
        let waiting = [
            Task { await refusal(policy, question) }, Task { await refusal(policy, question) },
        ]
        try await clock.waitForSleepers(2)
        try await until("two open questions") { await policy.open == 2 }
        #expect(await refusal(policy, question) == "2 questions have no answer yet")
        // Those who leave still count: the program may be slow, not their answers.
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.value }
        await policy.close()
    }

    @Test("a closed policy refuses, and its program is gone")
    func closed() async throws {
        let file = try TemporaryFile()
        let policy = policy(
            "echo $$ > \"$FILE\"; while :; do \(Self.next) \(Self.accept) done",
            environment: ["FILE=\(file.path)"]
        )
        let question = try await question()
        #expect(await refusal(policy, question) == "accept")
        let process = try await file.number()
        await policy.close()
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        #expect(await refusal(policy, question) == "the relay is stopping")
    }

    @Test("the program inherits no connection and only the variables that it is given")
    func clean() async throws {
        let file = try TemporaryFile()
        let null = open("/dev/null", O_RDONLY)
        let leak = fcntl(null, F_DUPFD, 200)
        defer { for descriptor in [null, leak] { Glibc.close(descriptor) } }
        let policy = policy(
            """
            if [ -e /proc/$$/fd/$LEAK ]; then echo leak; else echo clean; fi > "$FILE"
            tr '\\0' ' ' < /proc/$$/environ >> "$FILE"
            while :; do \(Self.next) \(Self.accept) done
            """,
            environment: ["FILE=\(file.path)", "LEAK=\(leak)"]
        )
        #expect(await refusal(policy, try await question()) == "accept")
        await policy.close()
        let words = try file.text()
        #expect(words == "clean\nPATH=/usr/bin:/bin FILE=\(file.path) LEAK=\(leak) ")
    }

    @Test("hundreds of questions at once each get their own verdict")
    func many() async throws {
        let policy = policy(
            """
            while :; do \(Self.next)
            case "$line" in *'"client":"odd"'*) printf '{"id":%s,"verdict":"hide"}\\n' $id;;
            *) \(Self.accept);; esac; done
            """
        )
        let (plain, odd) = (try await question(), try await question(client: "odd"))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let isOdd = number % 2 == 1
                    return try await policy.verdict(on: isOdd ? odd : plain)
                        == (isOdd ? .hide : .accept)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        await policy.close()
    }
}

/// A file that a program writes for its test.
private final class TemporaryFile: Sendable {
    let path: String

    init() throws {
        var template = Array(
            "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/policy-XXXXXX".utf8CString
        )
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Unexpected("no temporary file") }
        close(descriptor)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unlink(path)
    }

    func text() throws -> String {
        guard let file = fopen(path, "r") else { throw Unexpected("no file") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    func lines() throws -> Int {
        try text().count { $0 == "\n" }
    }

    /// The number that the program writes, as soon as it is there.
    func number() async throws -> Int32 {
        var number: Int32?
        try await until("the program's number in \(path)") {
            let text = try text()
            if text.hasSuffix("\n") { number = Int32(text.dropLast()) }
            return number != nil
        }
        return try #require(number)
    }
}
