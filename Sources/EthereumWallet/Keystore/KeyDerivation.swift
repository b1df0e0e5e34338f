import Ethereum
import FoundationEssentials
import OpenSSL
import Scrypt
import StrictJSON

/// The work to try one password: the parameters that geth uses.
public enum KeystoreStrength: Hashable, Sendable, CaseIterable {
    /// scrypt with N = 2^18, p = 1: 256 MiB and most of a second.
    case standard
    /// scrypt with N = 2^12, p = 6: 4 MiB and a tenth of that time, for tests and weak machines.
    case light
}

/// The derivation of a keystore's key from a password: the members `kdf` and `kdfparams`.
struct KeyDerivation: Hashable, Sendable {
    /// The function and its costs.
    enum Function: Hashable, Sendable {
        case scrypt(cost: Int, blockSize: Int, parallelism: Int)
        case pbkdf2(rounds: Int)
    }

    let function: Function
    let salt: [UInt8]
    /// The member `dklen`; only the first 32 bytes are used.
    let length: Int

    /// The used bytes: 16 for the cipher key, 16 for the authentication code.
    static let usedLength = 32

    /// The first 32 bytes of the derived key.
    ///
    /// - Throws: `KeystoreError.noMemory`.
    func key(password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        switch function {
        case .scrypt(let cost, let blockSize, let parallelism):
            let salt = SecretBytes(copying: salt)
            do throws(Scrypt.Failure) {
                return try SecretBytes(count: Self.usedLength) { output throws(Scrypt.Failure) in
                    try password.withBytes { password throws(Scrypt.Failure) in
                        try salt.withBytes { salt throws(Scrypt.Failure) in
                            try Scrypt.derive(
                                password: password,
                                salt: salt,
                                cost: cost,
                                blockSize: blockSize,
                                parallelism: parallelism,
                                into: output
                            )
                        }
                    }
                    Scrubber.wipeLeftovers(blocks: Self.usedLength)
                }
            } catch {
                switch error {
                case .memory(let bytes): throw .noMemory(bytes: bytes)
                case .parameters: throw .damaged("its scrypt parameters are out of range")
                }
            }
        case .pbkdf2(let rounds):
            return PasswordHash.pbkdf2(
                password,
                salt: salt,
                hash: .sha256,
                rounds: rounds,
                count: Self.usedLength
            )
        }
    }
}

extension KeyDerivation {
    /// The function of new keystores, with a fresh salt.
    init(_ strength: KeystoreStrength) {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<32).map { _ in generator.next() }
        length = Self.usedLength
        function =
            switch strength {
            case .standard: .scrypt(cost: 1 << 18, blockSize: 8, parallelism: 1)
            case .light: .scrypt(cost: 1 << 12, blockSize: 8, parallelism: 6)
            }
    }
}

extension KeyDerivation {
    /// The maximum memory of scrypt: four times geth's standard.
    static let maximumMemory = 1 << 30
    /// The maximum work of scrypt, as N * r * p: 32 times geth's standard, some 20 seconds.
    static let maximumWork = 1 << 26
    /// The maximum rounds of PBKDF2: a hundred times eth-account's default, some 20 seconds.
    static let maximumRounds = 100_000_000
    /// The maximum number of derived bytes, although 32 are used.
    static let maximumLength = 1_024
    /// The maximum number of salt bytes.
    static let maximumSalt = 1_024

    /// Reads `kdf` and `kdfparams` of a `crypto` section.
    ///
    /// - Throws: `KeystoreError`; `unreasonable` names the value and the bound.
    init(_ section: KeystoreSection) throws(KeystoreError) {
        let name = try section.word("kdf")
        let parameters = try section.section("kdfparams")
        guard ["scrypt", "pbkdf2"].contains(name) else {
            throw .foreign(
                "its key derivation function is \(ForeignWords.quoted(name, limit: 80)), "
                    + "not scrypt or pbkdf2"
            )
        }
        salt = try parameters.bytes("salt")
        guard salt.count <= Self.maximumSalt else {
            throw .unreasonable("its salt has \(salt.count) bytes, more than \(Self.maximumSalt)")
        }
        length = try parameters.integer("dklen")
        guard length >= Self.usedLength else {
            throw .damaged("its dklen is \(length), where \(Self.usedLength) bytes are needed")
        }
        guard length <= Self.maximumLength else {
            throw .unreasonable("its dklen is \(length), more than \(Self.maximumLength)")
        }
        function = name == "scrypt" ? try Self.scrypt(parameters) : try Self.pbkdf2(parameters)
    }

    private static func scrypt(
        _ parameters: KeystoreSection
    ) throws(KeystoreError) -> Function {
        let cost = try parameters.integer("n")
        let blockSize = try parameters.integer("r")
        let parallelism = try parameters.integer("p")
        guard cost >= 2, cost & (cost - 1) == 0 else {
            throw .damaged("its scrypt parameter n is \(cost), not a power of two from 2 on")
        }
        guard blockSize >= 1, parallelism >= 1 else {
            throw .damaged(
                "its scrypt parameters r and p are \(blockSize) and \(parallelism), "
                    + "where both are at least 1"
            )
        }
        let named = "n = \(cost), r = \(blockSize), p = \(parallelism)"
        // RFC 7914, section 2.
        let (product, isProductTooLarge) = blockSize.multipliedReportingOverflow(by: parallelism)
        guard !isProductTooLarge, product < 1 << 30 else {
            throw .unreasonable("with \(named) the product r * p is not below 2^30")
        }
        let (units, isTooLarge) = cost.multipliedReportingOverflow(by: blockSize)
        let tooMuchMemory = KeystoreError.unreasonable(
            "with \(named) scrypt would take more than \(maximumMemory >> 20) MiB of memory"
        )
        guard !isTooLarge, units <= maximumMemory / 128 else { throw tooMuchMemory }
        let (work, isWorkTooLarge) = units.multipliedReportingOverflow(by: parallelism)
        guard !isWorkTooLarge, work <= maximumWork else {
            throw .unreasonable(
                "with \(named) scrypt would work for minutes: n * r * p is more "
                    + "than \(maximumWork)"
            )
        }
        // Each of the p passes has a block of its own, beside the table of N.
        guard product <= maximumMemory / 128 else { throw tooMuchMemory }
        return .scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism)
    }

    private static func pbkdf2(
        _ parameters: KeystoreSection
    ) throws(KeystoreError) -> Function {
        let function = try parameters.word("prf")
        guard function == "hmac-sha256" else {
            throw .foreign(
                "its pbkdf2 is built on \(ForeignWords.quoted(function, limit: 80)), not on hmac-sha256"
            )
        }
        let rounds = try parameters.integer("c")
        guard rounds >= 1 else {
            throw .damaged("its pbkdf2 parameter c is \(rounds), where at least 1 is needed")
        }
        guard rounds <= maximumRounds else {
            throw .unreasonable(
                "its pbkdf2 parameter c is \(rounds), more than "
                    + "\(maximumRounds)"
            )
        }
        return .pbkdf2(rounds: rounds)
    }

    /// The member `kdf`.
    var name: String {
        switch function {
        case .scrypt: "scrypt"
        case .pbkdf2: "pbkdf2"
        }
    }

    /// The member `kdfparams`, in geth's order.
    var parameters: JSONValue {
        let salt = JSONValue.string(Hex.digits(salt))
        return switch function {
        case .scrypt(let cost, let blockSize, let parallelism):
            [
                "dklen": .integer(length), "n": .integer(cost), "p": .integer(parallelism),
                "r": .integer(blockSize), "salt": salt,
            ]
        case .pbkdf2(let rounds):
            [
                "c": .integer(rounds), "dklen": .integer(length), "prf": "hmac-sha256",
                "salt": salt,
            ]
        }
    }
}
