import Foundation
package import StrictJSON

/// A node for tests, in a process of its own.
///
/// It ends when its connections to this process close: with this object, and with the test process
/// however that ends.
package final class EVMNode: Sendable {
    /// What runs the chain's code.
    package enum Kind: Sendable {
        /// An EVM that others wrote: Tests/Python/evm/nodes.py.
        case pyEVM
        /// The sandbox's chain on our own: Tests/SandboxNode. Its first state comes from the same
        /// program, so it has the same contracts, the genuine ones among them.
        case sandbox
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    package let url: String
    /// Where the Swap API beside it listens; nil where the configuration's `swap` has no key.
    package let swap: String?

    private let connections: [ScriptedConnection]
    private let process: ChildNode?

    /// What the node answered instead of a result.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// The program that starts the nodes, and the port where it takes orders for them.
    private struct Starter: Sendable {
        let program: ChildNode
        let port: UInt16
    }

    private static let starter = Task {
        let python = try await PythonEnvironment.interpreter()
        let script = PythonEnvironment.root.appending(path: "Tests/Python/evm/nodes.py")
        return try await onOwnThread {
            let (program, line) = try ChildNode.start(python, [script.path])
            guard let port = line["port"]?.numberText.flatMap({ UInt16($0) }) else {
                throw Failure(description: "No EVM node can be started; the errors are above.")
            }
            return Starter(program: program, port: port)
        }
    }

    /// Starts a node.
    ///
    /// - Parameter genesis: the configuration that docs/evm.md describes.
    /// - Throws: `PythonEnvironment.Unusable`, or `Failure` with what the program said.
    package static func start(
        _ genesis: JSONValue,
        on kind: Kind = .pyEVM
    ) async throws -> EVMNode {
        switch kind {
        case .pyEVM:
            let (connection, answer) = try await order(genesis)
            return try EVMNode(answer, swap: answer["swap"]?.stringValue, [connection], nil)
        case .sandbox:
            let (order, state) = try await order(["stateOf": genesis])
            order.close()
            let (node, answer) = try await onOwnThread {
                try ChildNode.start(ChildNode.sandbox, [], input: state.text)
            }
            guard let url = answer["url"], let swap = genesis["swap"], let key = swap["key"] else {
                return try EVMNode(answer, swap: nil, [], node)
            }
            let pools = swap["pools"]?.arrayValue?.compactMap { $0["address"] } ?? []
            let (connection, api) = try await Self.order(
                ["swapOf": ["node": url, "key": key, "pools": .array(pools)]]
            )
            return try EVMNode(answer, swap: api["swap"]?.stringValue, [connection], node)
        }
    }

    /// Asks the program that starts nodes for something.
    private static func order(
        _ request: JSONValue
    ) async throws -> (ScriptedConnection, JSONValue) {
        let port = try await starter.value.port
        // It deploys all contracts first: minutes on a machine that is busy with more.
        let connection = try ScriptedConnection(toPort: port, patience: 900)
        connection.write(request.text + "\n")
        let line = try await onOwnThread { connection.readLine() }
        // nil: not JSON.
        guard let answer = try? JSONParser.parse(line), answer["error"] == nil else {
            connection.close()
            throw Failure(description: "The EVM node did not start; its errors are above.")
        }
        return (connection, answer)
    }

    private init(
        _ answer: JSONValue,
        swap: String?,
        _ connections: [ScriptedConnection],
        _ process: ChildNode?
    ) throws {
        guard let url = answer["url"]?.stringValue else {
            throw Failure(description: "The node did not start; its errors are above.")
        }
        self.url = url
        self.swap = swap
        self.connections = connections
        self.process = process
    }

    deinit {
        for connection in connections { connection.close() }
    }

    /// Ends the node and waits until it has.
    package func stop() {
        for connection in connections {
            connection.finishWriting()
            connection.waitForClose()
        }
        process?.stop()
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
