package import Ethereum
import StrictJSON

/// A program that reads one question and writes one answer.
package protocol SignerProgram: Sendable {
    /// Its output for an input, and its exit status.
    ///
    /// - Throws: `SigningError` if it did not start, took too long or was interrupted.
    func run(_ input: [UInt8]) async throws(SigningError) -> (output: [UInt8], status: Int32)
}

/// A key held by a program of the user; docs/signing.md has its input and output.
package struct ProgramKey: KeyHolder {
    package let address: Address
    package let place = KeyPlace.outside
    private let program: any SignerProgram
    private let answers: SignerAnswers

    /// - Parameter name: its name in messages.
    package init(
        address: Address,
        name: String,
        program: any SignerProgram,
        recoverer: any SignatureRecovering
    ) {
        self.address = address
        self.program = program
        answers = SignerAnswers(name: name, recoverer: recoverer)
    }

    package func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        let request = authorized.request
        var input: [UInt8] = []
        SignerCodec.question(request).write(to: &input)
        input.append(UInt8(ascii: "\n"))
        let (output, status) = try await program.run(input)
        guard let json = try? JSONParser.parse(output), json.objectValue != nil else {  // not JSON
            throw output.isEmpty && status != 0
                ? answers.refused("it ended with exit code \(status).", isDeclined: false)
                : answers.bad("it is not one JSON object")
        }
        if let error = json["error"], !error.isNull {
            throw answers.refused(
                error.stringValue ?? error["message"]?.stringValue ?? "",
                isDeclined: json["declined"]?.boolValue ?? false
            )
        }
        guard status == 0 else {
            throw answers.refused("it ended with exit code \(status).", isDeclined: false)
        }
        if let signature = json["signature"] { return try answers.signature(signature) }
        if case .transaction(let transaction) = request.content {
            return try answers.signature(ofTransaction: json, asked: transaction)
        }
        throw answers.bad("it has no signature")
    }
}
