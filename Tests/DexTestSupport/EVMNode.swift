import Foundation
package import StrictJSON

/// A node on a real EVM (Tests/Python/evm/nodes.py), in a process of its own.
///
/// It ends when its connection to this process closes: with this object, and with the test process
/// however that ends.
package final class EVMNode: Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    package let url: String
    /// Where the Swap API beside it listens; nil where the configuration's `swap` has no key.
    package let swap: String?

    private let connection: ScriptedConnection

    /// The program that starts the nodes, and the port where it takes orders for them.
    private struct Starter: Sendable {
        let input: FileHandle
        let port: UInt16
    }

    /// What the node answered instead of a result.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let starter = Task {
        let python = try await PythonEnvironment.interpreter()
        return try await onOwnThread { try start(by: python) }
    }

    /// Starts the program and waits for its first line.
    private static func start(by python: URL) throws -> Starter {
        let input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = python
        process.arguments = [
            PythonEnvironment.root.appending(path: "Tests/Python/evm/nodes.py").path
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The child has its own ends.
        try? input.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        let port = (try? JSONParser.parse(line))?["port"]?.numberText.flatMap { UInt16($0) }
        guard let port else {
            throw Failure(description: "No EVM node can be started; the errors are above.")
        }
        return Starter(input: input.fileHandleForWriting, port: port)
    }

    /// Starts a node.
    ///
    /// - Parameter genesis: the configuration that docs/evm.md describes.
    /// - Throws: `PythonEnvironment.Unusable`, or `Failure` with what the program said.
    package static func start(_ genesis: JSONValue) async throws -> EVMNode {
        let port = try await starter.value.port
        // It deploys all contracts first: minutes on a machine that is busy with more.
        let connection = try ScriptedConnection(toPort: port, patience: 900)
        connection.write(genesis.text + "\n")
        let line = try await onOwnThread { connection.readLine() }
        // nil: not JSON.
        let answer = try? JSONParser.parse(line)
        guard let url = answer?["url"]?.stringValue else {
            connection.close()
            throw Failure(description: "The EVM node did not start; its errors are above.")
        }
        return EVMNode(url: url, swap: answer?["swap"]?.stringValue, connection: connection)
    }

    private init(url: String, swap: String?, connection: ScriptedConnection) {
        self.url = url
        self.swap = swap
        self.connection = connection
    }

    deinit {
        connection.close()
    }

    /// Ends the node and waits until it has.
    package func stop() {
        connection.finishWriting()
        connection.waitForClose()
    }

    /// The result of one JSON-RPC method.
    ///
    /// - Throws: `Failure` with the error's text.
    @discardableResult
    package func call(_ method: String, _ parameters: JSONValue...) throws -> JSONValue {
        try Self.result(of: post(Self.request(method, parameters)), method)
    }

    /// The results of several methods, asked at once.
    ///
    /// - Throws: `Failure` with the text of the first error.
    package func calls(_ methods: [(String, [JSONValue])]) throws -> [JSONValue] {
        let batch = JSONValue.array(methods.map { Self.request($0.0, $0.1) })
        guard let answers = try post(batch).arrayValue, answers.count == methods.count else {
            throw Failure(description: "the EVM node answered a batch with something else")
        }
        return try zip(answers, methods).map { try Self.result(of: $0, $1.0) }
    }

    /// The answer to a body of JSON-RPC, whatever it is; nothing of the caller's is blocked meanwhile.
    package func answer(to body: JSONValue) async throws -> JSONValue {
        try await onOwnThread { try self.post(body) }
    }

    private static func request(_ method: String, _ parameters: [JSONValue]) -> JSONValue {
        [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .array(parameters),
        ]
    }

    private static func result(of answer: JSONValue, _ method: String) throws -> JSONValue {
        if let error = answer["error"] {
            throw Failure(description: "\(method): \(error["message"]?.stringValue ?? error.text)")
        }
        return answer["result"] ?? .null
    }

    private func post(_ json: JSONValue) throws -> JSONValue {
        let answer = try ScriptedRequest.post("/", json.text).send(to: url)
        guard let start = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            throw Failure(description: "the EVM node answered with no body")
        }
        return try JSONParser.parse(Array(answer[start...]))
    }
}
