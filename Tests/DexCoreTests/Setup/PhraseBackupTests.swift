import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The words of a new wallet, shown and asked back")
struct PhraseBackupTests {
    /// The words stand for themselves: `w1 w2 …`.
    private static func phrase(_ count: Int = 12) -> SecretBytes {
        SecretBytes(copying: Array((1...count).map { "w\($0)" }.joined(separator: " ").utf8))
    }

    /// A user who answers each question by a rule.
    private final class User: PhraseBackup.Screen {
        private(set) var shown = 0
        private(set) var asked: [Int] = []
        private(set) var wrong: [Int] = []
        private let answer: (Int, Int) throws -> String

        /// - Parameter answer: to a word's number, at the question of this number from 1.
        init(_ answer: @escaping (Int, Int) throws -> String) {
            self.answer = answer
        }

        func show(_ phrase: borrowing SecretBytes) { shown += 1 }

        func word(_ number: Int) throws -> SecretBytes {
            asked.append(number)
            return SecretBytes(copying: Array(try answer(number, asked.count).utf8))
        }

        func isWrong(_ number: Int) { wrong.append(number) }
    }

    private static func random(_ seed: UInt64) -> Bytes32 {
        // Keccak spreads the seed.
        Keccak256.hash(UInt256(seed).bigEndianBytes)
    }

    @Test("three right words are enough, in any letter case and with spaces")
    func right() async throws {
        let user = User { number, count in count == 1 ? " W\(number)\t\r" : "w\(number)" }
        try await PhraseBackup(screen: user) { Self.random(1) }.confirm(Self.phrase())
        #expect(user.shown == 1 && user.asked.count == 3 && user.wrong.isEmpty)
        #expect(user.asked == user.asked.sorted() && Set(user.asked).count == 3)
    }

    @Test(
        "a wrong word shows them again, and asks for three others",
        arguments: ["", "w", "w99", "w1 w2", "w1w2", "zzz"]
    )
    func wrong(word: String) async throws {
        var rounds = [UInt64](1...9)
        let user = User { number, count in count == 2 ? word : "w\(number)" }
        try await PhraseBackup(screen: user) { Self.random(rounds.removeFirst()) }
            .confirm(Self.phrase())
        #expect(user.shown == 2)
        #expect(user.asked.count == 5)
        #expect(user.wrong == [user.asked[1]])
    }

    @Test("Ctrl-C ends it at any word", arguments: 1...3)
    func interrupted(at place: Int) async {
        let user = User { number, count in
            if count == place { throw CancellationError() }
            return "w\(number)"
        }
        await #expect(throws: CancellationError.self) {
            try await PhraseBackup(screen: user) { Self.random(7) }.confirm(Self.phrase())
        }
        #expect(user.asked.count == place)
    }

    @Test("every word is asked for sometimes, each about as often", arguments: [12, 24])
    func positions(count: Int) {
        var times = [Int](repeating: 0, count: count)
        let rounds = 2_000
        for seed in 0..<rounds {
            let user = User { _, _ in "" }
            let places = PhraseBackup(screen: user) { Self.random(UInt64(seed)) }
                .places(among: count)
            #expect(places.count == 3 && Set(places).count == 3 && places == places.sorted())
            for place in places { times[place] += 1 }
        }
        let mean = rounds * 3 / count
        // Six standard deviations are 133 of 500, and 95 of 250.
        for time in times { #expect(abs(time - mean) < mean / 2, "\(times)") }
    }

    private func lines(_ count: Int, width: Int) -> [String] {
        let sheet = PhraseSheet.lines(Self.phrase(count), width: width)
        let text = sheet.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n").map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("the words stand in columns that fit the screen, each with its number")
    func sheet() {
        #expect(
            lines(12, width: 80) == [
                " 1 w1          2 w2          3 w3", " 4 w4          5 w5          6 w6",
                " 7 w7          8 w8          9 w9", "10 w10        11 w11        12 w12",
            ]
        )
        #expect(lines(15, width: 28).first == " 1 w1          2 w2")
        #expect(lines(15, width: 28).last == "15 w15")
        for width in [1, 13, 27] {
            #expect(lines(24, width: width).count == 24)
            #expect(lines(24, width: width).last == "24 w24")
        }
    }

    @Test("a phrase of real words is shown whole")
    func realWords() throws {
        let phrase = try Mnemonic(entropy: SecretBytes(copying: [UInt8](repeating: 0, count: 32)))
            .phrase()
        let sheet = PhraseSheet.lines(phrase, width: 120)
        let shown = sheet.withBytes { String(decoding: $0, as: UTF8.self) }
            .split { $0 == " " || $0 == "\n" }.filter { Int($0) == nil }
        #expect(
            shown.joined(separator: " ")
                == phrase.withBytes { String(decoding: $0, as: UTF8.self) }
        )
    }
}
