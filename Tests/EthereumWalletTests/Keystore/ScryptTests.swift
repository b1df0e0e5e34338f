import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import Scrypt

@Suite("scrypt")
struct ScryptTests {
    private func derive(
        _ password: [UInt8],
        _ salt: [UInt8],
        _ cost: Int,
        _ blockSize: Int,
        _ parallelism: Int,
        count: Int,
        isPlain: Bool = false
    ) throws -> String {
        var output = [UInt8](repeating: 0, count: count)
        try output.withUnsafeMutableBytes { output in
            try password.withUnsafeBytes { password in
                try salt.withUnsafeBytes { salt in
                    try Scrypt.derive(
                        password: password,
                        salt: salt,
                        cost: cost,
                        blockSize: blockSize,
                        parallelism: parallelism,
                        into: output,
                        isPlain: isPlain
                    )
                }
            }
        }
        return String(Hex.encode(output).dropFirst(2))
    }

    @Test("more than OpenSSL takes at once is an error, not a trap")
    func tooManyBlocks() {
        #expect(throws: Scrypt.Failure.memory(1 << 31)) {
            try derive([1], [2], 2, 1, 1 << 24, count: 32)
        }
    }

    // Source: https://www.rfc-editor.org/rfc/rfc7914, section 12.
    @Test(
        "the standard's vectors pass",
        arguments: [
            (
                "", "", (16, 1, 1),
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", (1_024, 8, 16),
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", (16_384, 8, 1),
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                    + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ]
    )
    func standard(
        password: String,
        salt: String,
        parameters: (cost: Int, blockSize: Int, parallelism: Int),
        key: String
    ) throws {
        // As this processor does it best, and as every one does it.
        for isPlain in [false, true] {
            let derived = try derive(
                Array(password.utf8),
                Array(salt.utf8),
                parameters.cost,
                parameters.blockSize,
                parameters.parallelism,
                count: 64,
                isPlain: isPlain
            )
            #expect(derived == key)
        }
    }

    @Test("keys are those of OpenSSL, whatever the parameters and the length")
    func openSSL() throws {
        for vector in try vectors("derivations") {
            let key = try vector.text("key")
            let derived = try derive(
                hex(vector.text("password")),
                hex(vector.text("salt")),
                vector.number("n"),
                vector.number("r"),
                vector.number("p"),
                count: key.utf8.count / 2
            )
            #expect(derived == key, "\(vector.json.text)")
        }
    }

    @Test(
        "parameters that the standard rules out are refused, and none traps",
        arguments: [
            (0, 8, 1), (1, 8, 1), (3, 8, 1), (-2, 8, 1), (1 << 31, 8, 1), (Int.min, 8, 1),
            (Int.max, 8, 1), (16, 0, 1), (16, 8, 0), (16, -1, 1), (16, 8, -1),
            (16, 1 << 15, 1 << 15), (16, .max, .max), (16, .min, .min), (16, 1 << 30, 1),
        ]
    )
    func parameters(cost: Int, blockSize: Int, parallelism: Int) {
        #expect(throws: Scrypt.Failure.parameters) {
            try derive([1], [2], cost, blockSize, parallelism, count: 32)
        }
    }

    @Test("memory that the system does not have is an error with its size")
    func memory() {
        #expect(throws: Scrypt.Failure.memory((1 << 30) * 128 * (1 << 20))) {
            try derive([1], [2], 1 << 30, 1 << 20, 1, count: 32)
        }
    }
}
