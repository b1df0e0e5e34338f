import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON

/// The code of an error answer.
enum FaultCode: Int {
    case validationFailed = 100
    case malformedJSON = 101
    case submissionDisabled = 102
    /// Only in API v0.
    case throttled = 103
}

/// An error answer in the words of one of the relay's APIs.
protocol RelayFault: Error, Sendable {
    init(
        status: HTTPResponse.Status,
        code: FaultCode?,
        reason: String,
        fields: [FaultField],
        retryAfter: Int?
    )
    /// A failure that is not about members of the request.
    init(status: HTTPResponse.Status, reason: String)
    /// 400 with the invalid fields.
    static func validation(_ fields: [FaultField]) -> Self
    /// An absent field.
    static func required(_ name: String) -> FaultField
    /// The field of a refusal and its code; nil if it is not about a field.
    static func place(of refusal: OrderRefusal) -> (name: String, code: FaultField.Code)?
    /// The reason of a refusal in the API's words.
    static func words(for refusal: OrderRefusal) -> String

    var status: HTTPResponse.Status { get }
    /// Seconds after which the same request may succeed.
    var retryAfter: Int? { get set }
    /// Always there in API v0.
    var code: FaultCode? { get }
    var reason: String { get }
    /// The invalid fields.
    var fields: [FaultField] { get }
}

extension RelayFault {
    /// The relay accepts no orders at all.
    static var submissionDisabled: Self {
        Self(
            status: .badRequest,
            code: .submissionDisabled,
            reason: "Order submission disabled",
            fields: [],
            retryAfter: nil
        )
    }

    /// The body is not JSON.
    static func malformedJSON(_ reason: String) -> Self {
        Self(
            status: .badRequest,
            code: .malformedJSON,
            reason: reason,
            fields: [],
            retryAfter: nil
        )
    }

    var json: JSONValue {
        var object = JSONObject()
        object["code"] = code.map { .integer($0.rawValue) }
        object["reason"] = .string(reason)
        if !fields.isEmpty { object["validationErrors"] = .array(fields.map(\.json)) }
        return .object(object)
    }

    /// More requests than the relay allows.
    static var throttled: Self { Self(status: .tooManyRequests, reason: "Throttled") }

    /// 400 with one invalid field.
    static func validation(_ name: String, _ code: FaultField.Code, _ reason: String) -> Self {
        validation([FaultField(name: name, code: code, reason: reason)])
    }

    /// The answer to a refused order.
    init(_ refusals: OrderRefusals) {
        for refusal in refusals.reasons {
            switch refusal {
            case .closed:
                self = .submissionDisabled
                return
            case .full, .tooManyOfMaker, .tooManyPosts:
                self.init(status: .tooManyRequests, reason: Self.words(for: refusal))
                retryAfter = refusal.retryAfter
                return
            case .busy, .policyUnavailable, .chainUnavailable, .storeUnavailable, .storeUnsure:
                self.init(status: .serviceUnavailable, reason: Self.words(for: refusal))
                retryAfter = refusal.retryAfter
                return
            default: continue
            }
        }
        self = .validation(
            refusals.reasons.compactMap { refusal in
                Self.place(of: refusal).map {
                    FaultField(name: $0.name, code: $0.code, reason: Self.words(for: refusal))
                }
            }
        )
    }
}

extension Response {
    init(_ fault: any RelayFault) {
        self.init(fault.status, json: ByteBuffer(bytes: fault.json.utf8))
        if let seconds = fault.retryAfter { headers[.retryAfter] = String(seconds) }
    }
}

extension ByteBuffer {
    /// The bytes as JSON.
    ///
    /// - Throws: `Fault` if they are not JSON.
    func json<Fault: RelayFault>(_ fault: Fault.Type) throws(Fault) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(
                readableBytesView,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            )
        } catch {
            throw Fault.malformedJSON("Malformed JSON: \(error.problem), at byte \(error.offset)")
        }
    }
}
