import Ethereum
import StrictJSON

/// A node's answer to one request, sorted by the calls' ids.
enum RPCReply: Sendable {
    /// One call's outcome: the result or the error.
    typealias Outcome = Result<JSONValue, RPCFault>

    /// Answers in the order of the ids; nil for an unanswered call.
    case answers([Outcome?])
    /// One error in place of the answers to a batch.
    case refused(RPCFault)

    /// Reads the body of an answer.
    ///
    /// - Parameter ids: the ids in the request.
    /// - Throws: `ChainError.nonsense`: not JSON, not JSON-RPC, an unknown id, or two different
    ///   answers to one call.
    init(body: [UInt8], ids: [Int]) throws(ChainError) {
        let json: JSONValue
        do {
            json = try JSONParser.parse(body)
        } catch {
            throw .nonsense(Self.describe(body, error))
        }
        switch json {
        case .array(let elements): self = try Self.batch(elements, ids: ids)
        case .object: self = try Self.single(json, ids: ids)
        default: throw .nonsense("it is neither an object nor a list of answers")
        }
    }

    private static func single(_ json: JSONValue, ids: [Int]) throws(ChainError) -> RPCReply {
        let outcome = try outcome(json)
        if ids.count == 1 {
            // Some nodes omit the id of an error.
            guard try id(of: json) ?? ids[0] == ids[0] else {
                throw .nonsense("it answers a question that was not asked")
            }
            return .answers([outcome])
        }
        guard case .failure(let fault) = outcome else {
            throw .nonsense("it is one answer to \(ids.count) questions")
        }
        return .refused(fault)
    }

    private static func batch(
        _ elements: [JSONValue],
        ids: [Int]
    ) throws(ChainError) -> RPCReply {
        let places = Places(ids)
        var answers: [Outcome?] = Array(repeating: nil, count: ids.count)
        var isAnyAnswered = false
        var nameless: RPCFault?
        for element in elements {
            let outcome = try outcome(element)
            guard let id = try id(of: element) else {
                guard case .failure(let fault) = outcome else {
                    throw .nonsense("an answer does not say which request it is for")
                }
                nameless = fault
                continue
            }
            guard let place = places[id] else {
                throw .nonsense("it answers a question that was not asked")
            }
            if let earlier = answers[place], earlier != outcome {
                throw .nonsense("it answers one question twice and differently")
            }
            // How geth refuses a batch: one error with the first call's id.
            if elements.count == 1, ids.count > 1, case .failure(let fault) = outcome,
                fault.isBatchLimit
            {
                return .refused(fault)
            }
            answers[place] = outcome
            isAnyAnswered = true
        }
        if !isAnyAnswered, let nameless { return .refused(nameless) }
        // Some refuse a batch call by call.
        let refusals = answers.compactMap(Self.batchRefusal(in:))
        if ids.count > 1, refusals.count == ids.count, let first = refusals.first {
            return .refused(first)
        }
        return .answers(answers)
    }

    private static func batchRefusal(in answer: Outcome?) -> RPCFault? {
        guard case .failure(let fault)? = answer, fault.isBatchRefusal else { return nil }
        return fault
    }

    /// The index of each requested id.
    private struct Places {
        private let ids: [Int]
        /// nil if the ids are consecutive, as in a first attempt.
        private let table: [Int: Int]?

        init(_ ids: [Int]) {
            self.ids = ids
            let isRun = zip(ids, ids.dropFirst()).allSatisfy { $0 + 1 == $1 }
            table =
                isRun
                ? nil
                : Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
        }

        subscript(id: Int) -> Int? {
            if let table { return table[id] }
            guard let first = ids.first, let last = ids.last, first <= id, id <= last else {
                return nil
            }
            return id - first
        }
    }

    private static func outcome(_ json: JSONValue) throws(ChainError) -> Outcome {
        guard case .object(let object) = json else {
            throw .nonsense("an answer is not an object")
        }
        if let error = object["error"], !error.isNull { return .failure(RPCFault(error)) }
        guard let result = object["result"] else {
            throw .nonsense("an answer has neither a result nor an error")
        }
        return .success(result)
    }

    /// The id of an answer; nil if it is absent or null.
    private static func id(of json: JSONValue) throws(ChainError) -> Int? {
        switch json["id"] {
        case nil, .null?: return nil
        case .number(let text)?, .string(let text)?:
            guard let id = Int(text) else {
                throw .nonsense("it answers a question that was not asked")
            }
            return id
        default: throw .nonsense("it answers a question that was not asked")
        }
    }

    /// A description of a body that is not JSON.
    static func describe(_ body: [UInt8], _ error: JSONError) -> String {
        let first = body.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        switch first {
        case nil: return "it is empty"
        case UInt8(ascii: "<"): return "it is a web page"
        default: return "it is not valid JSON: \(error.problem) (at byte \(error.offset))"
        }
    }
}
