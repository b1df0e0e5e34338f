import Testing

@testable import OpenSSL

@Suite("OpenSSL's library")
struct CryptoLibraryTests {
    @Test("one that is missing is told with the package that brings it")
    func missing() throws {
        let problem = try #require(CryptoLibrary.attempt("libcrypto-of-nobody.so"))
        #expect(problem.contains("libcrypto-of-nobody.so"))
        #expect(
            CryptoLibrary.missing(problem)
                == "OpenSSL's library is missing (\(problem)); install the package libssl3"
        )
    }

    @Test("the usual one is loaded, and a failed attempt at another takes nothing of it away")
    func usual() {
        #expect(CryptoLibrary.attempt("libcrypto-of-nobody.so") != nil)
        #expect(HashFunction.sha256.hash([]).first == 0xE3)
    }

    @Test("what it refuses ends the program with a sentence")
    func refused() async {
        let result = await #expect(
            processExitsWith: .exitCode(1),
            observing: [\.standardErrorContent]
        ) {
            CryptoLibrary.call { false }
        }
        #expect(
            result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
                == "error: \(CryptoLibrary.refused)\n"
        )
    }
}
