import OpenSSL
import Testing

@testable import EthereumWallet

@Suite("The word list of BIP-39")
struct WordListTests {
    private let list = WordList.english

    private func word(_ number: Int) -> String {
        list.withWord(number) { String(decoding: $0, as: UTF8.self) }
    }

    @Test("it is the published one")
    func published() {
        let words = (0..<list.count).map(word)
        #expect(words.count == 2_048)
        let file = words.map { $0 + "\n" }.joined()
        let hash = HashFunction.sha256.hash(Array(file.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        #expect(
            hash.joined() == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
        )
    }

    @Test("each word has its number, and what is between two words has none")
    func numbers() {
        for number in 0..<list.count {
            let word = word(number)
            #expect(list.number(of: word.utf8) == number)
            #expect(list.number(of: (word + "!").utf8) == nil)
            #expect(list.number(of: ("!" + word).utf8) == nil)
        }
        #expect(list.number(of: "".utf8) == nil)
        #expect(list.number(of: "zzz".utf8) == nil)
        #expect(list.number(of: "abandon ability".utf8) == nil)
    }
}
