import DexSigning
import Glibc

/// A user's signing program: one process per question, which is its standard input.
///
/// It talks to the user by its standard error and the terminal.
struct SignerChild: SignerProgram {
    /// Its name in messages.
    let name: String
    let command: [String]
    let timeout: UInt64

    /// The most bytes of an answer: a signed transaction of the largest size that nodes accept.
    private static let longestOutput = 1 << 20

    func run(_ input: [UInt8]) async throws(SigningError) -> (output: [UInt8], status: Int32) {
        let program = TimedProgram(
            command: command,
            timeout: timeout * 1_000,
            longestOutput: Self.longestOutput
        )
        do throws(TimedProgram.Failure) {
            return try await program.run(input)
        } catch {
            throw problem(error)
        }
    }

    private func problem(_ failure: TimedProgram.Failure) -> SigningError {
        switch failure {
        case .interrupted: .interrupted
        case .notStarted(let what, let code):
            SigningError.command(name: name, what: what, code: code)
        case .tooSlow:
            SigningError.timeout(name: name, seconds: timeout)
        case .tooLong:
            SigningError.longAnswer(name: name, maximum: Self.longestOutput)
        }
    }
}
