import COpenSSL
import Glibc

/// OpenSSL's libcrypto, loaded by the first call of it.
///
/// libcurl of every Debian needs the same file, so it is missing only where `dex` was copied to a
/// machine by hand. There, as if it were linked, the program says so and ends: a hash has no other
/// answer, and nothing has been signed or sent without one.
enum CryptoLibrary {
    /// The error of the usual library, in the dynamic linker's words; nil if it is loaded.
    private static let problem = attempt(DEX_CRYPTO_LIBRARY)

    /// Why a library cannot be loaded, in the dynamic linker's words; nil if it is loaded.
    static func attempt(_ name: String) -> String? {
        var problem: UnsafePointer<CChar>?
        guard !dex_crypto_load(name, &problem) else { return nil }
        return problem.map { String(cString: $0) } ?? "the dynamic linker gave no reason"
    }

    /// Calls a function of the library that returns false only if there is no memory for it, or if
    /// the settings of this machine's OpenSSL forbid it.
    static func call(_ function: () -> Bool) {
        if let problem { end(missing(problem)) }
        if !function() { end(refused) }
    }

    /// The sentence about a library that cannot be loaded.
    static func missing(_ problem: String) -> String {
        "OpenSSL's library is missing (\(problem)); install the package libssl3"
    }

    static let refused =
        "OpenSSL fails at SHA-1, SHA-2, HMAC, PBKDF2 or AES: it has no memory left, or openssl.cnf "
        + "of this machine forbids them and has to allow them"

    private static func end(_ sentence: String) -> Never {
        let line = Array("error: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)  // nobody is told if this fails
        exit(1)
    }
}

extension UnsafeRawBufferPointer {
    /// The first byte; some address even where there are no bytes, since OpenSSL takes none for
    /// something else.
    var start: UnsafeRawPointer {
        guard let start = baseAddress ?? UnsafeRawPointer(bitPattern: 1) else {
            preconditionFailure("1 is an address")
        }
        return start
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte; some address even where there are no bytes.
    var start: UnsafeMutablePointer<UInt8> {
        UnsafeMutableRawPointer(mutating: UnsafeRawBufferPointer(self).start)
            .assumingMemoryBound(to: UInt8.self)
    }
}
