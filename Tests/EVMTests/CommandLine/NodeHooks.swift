import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization

/// What happens on the way between `dex` and the node.
final class NodeHooks: Sendable {
    /// Something that is done once.
    private struct Hook {
        let method: String
        /// Requests with the method until then.
        var left: Int
        let isAfter: Bool
        let action: @Sendable () throws -> Void
    }

    /// A contract's answer that is not its own.
    private struct FalseCall {
        /// As `eth_call` names the contract, in lower case.
        let contract: String
        /// Of the call data, in hexadecimal after 0x.
        let start: String
        let result: JSONValue

        func answers(_ call: JSONValue) -> Bool {
            guard call["method"] == "eth_call" else { return false }
            let message = call.at("params.0")
            let data = message["input"]?.stringValue ?? message["data"]?.stringValue ?? ""
            return message["to"]?.stringValue?.lowercased() == contract && data.hasPrefix(start)
        }
    }

    private struct State {
        var hooks: [Hook] = []
        var answers: [String: JSONValue] = [:]
        var calls: [FalseCall] = []
        var failures: [String] = []
    }

    private let state = Mutex(State())

    /// Does something right before the n-th request from now on that calls a method.
    func before(
        _ method: String,
        number: Int = 1,
        _ action: @escaping @Sendable () throws -> Void
    ) {
        add(Hook(method: method, left: number, isAfter: false, action: action))
    }

    /// The same when the node has answered, before `dex` gets to know.
    func after(
        _ method: String,
        number: Int = 1,
        _ action: @escaping @Sendable () throws -> Void
    ) {
        add(Hook(method: method, left: number, isAfter: true, action: action))
    }

    /// Answers a method with something else than the node does, until it is told otherwise.
    func answer(_ method: String, with result: JSONValue?) {
        state.withLock { $0.answers[method] = result }
    }

    /// Answers calls of a contract's function with something else than the contract does, until it
    /// is told to forget it.
    ///
    /// - Parameters:
    ///   - data: what the call data begin with.
    ///   - result: what the node says that the contract returned.
    func answer(call contract: Address, _ data: [UInt8], with result: [UInt8]) {
        let call = FalseCall(
            contract: contract.checksummed.lowercased(),
            start: Hex.encode(data),
            result: .string(Hex.encode(result))
        )
        state.withLock { $0.calls.append(call) }
    }

    /// No call is answered by anything but its contract any more.
    func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    /// What went wrong in hooks, and which of them never ran; all are forgotten then.
    func leftovers() -> [String] {
        state.withLock { state in
            defer {
                state.hooks = []
                state.failures = []
            }
            return state.failures + state.hooks.map { "\($0.method) was not called again" }
        }
    }

    /// What becomes of a request to a node.
    func decide(_ request: ScriptedRequest, node: String) -> Interposer.Decision {
        let methods = Set(request.methods)
        let (due, answers, calls) = state.withLock { state in
            var due: [Hook] = []
            state.hooks = state.hooks.compactMap { hook in
                guard methods.contains(hook.method) else { return hook }
                var hook = hook
                hook.left -= 1
                if hook.left == 0 { due.append(hook) }
                return hook.left == 0 ? nil : hook
            }
            let answers = state.answers.filter { methods.contains($0.key) }
            return (due, answers, methods.contains("eth_call") ? state.calls : [])
        }
        for hook in due where !hook.isAfter { run(hook) }
        guard answers.isEmpty, calls.isEmpty else {
            return .take { [self] connection in
                do {
                    let body = try changed(request, answers, calls, node: node)
                    for hook in due where hook.isAfter { run(hook) }
                    connection.write(ScriptedAnswer(body: body).bytes)
                } catch {
                    fail("\(error)")
                }
            }
        }
        let later = due.filter(\.isAfter)
        return later.isEmpty ? .pass : .passThen { [self] in for hook in later { run(hook) } }
    }

    private func add(_ hook: Hook) {
        state.withLock { $0.hooks.append(hook) }
    }

    private func run(_ hook: Hook) {
        do {
            try hook.action()
        } catch {
            fail("\(hook.method): \(error)")
        }
    }

    private func fail(_ words: String) {
        state.withLock { $0.failures.append(words) }
    }

    /// The node's answers, but for those of some methods.
    private func changed(
        _ request: ScriptedRequest,
        _ answers: [String: JSONValue],
        _ falseCalls: [FalseCall],
        node: String
    ) throws -> String {
        let bytes = try request.send(to: node)
        let start = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
        let given = try JSONParser.parse(Array(bytes[start...]))
        let calls = try JSONParser.parse(request.body)
        var results: [String: JSONValue] = [:]
        for call in calls.arrayValue ?? [calls] {
            let method = call["method"]?.stringValue ?? ""
            let result = falseCalls.last { $0.answers(call) }?.result ?? answers[method]
            results[call["id"]?.text ?? ""] = result
        }
        let changed = (given.arrayValue ?? [given]).map { answer in
            guard let id = answer["id"], let result = results[id.text] else { return answer }
            return ["jsonrpc": "2.0", "id": id, "result": result] as JSONValue
        }
        return given.arrayValue == nil ? changed[0].text : JSONValue.array(changed).text
    }
}
