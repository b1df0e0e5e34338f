import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StrictJSON

/// An error answer in the words of one of the relay's APIs.
protocol RelayFault: Error, Sendable {
    /// The problem with one field.
    associatedtype Field

    /// A failure that is not about members of the request.
    init(status: HTTPResponse.Status, reason: String)
    /// More requests than the relay allows.
    static var throttled: Self { get }
    /// The relay accepts no orders at all.
    static var submissionDisabled: Self { get }
    /// The body is not JSON.
    static func malformedJSON(_ reason: String) -> Self
    /// 400 with the invalid fields.
    static func validation(_ fields: [Field]) -> Self
    /// The field of a refusal; nil if it is not about a field.
    static func field(_ refusal: OrderRefusal) -> Field?

    var status: HTTPResponse.Status { get }
    var json: JSONValue { get }
}

extension RelayFault {
    /// The answer to a refused order.
    init(_ refusals: OrderRefusals) {
        for reason in refusals.reasons {
            switch reason {
            case .closed:
                self = .submissionDisabled
                return
            case .full:
                self.init(
                    status: .tooManyRequests,
                    reason: "The relay holds as many orders as it can; try again later"
                )
                return
            case .tooManyOfMaker(let limit):
                self.init(
                    status: .tooManyRequests,
                    reason: "The maker has \(limit) open orders here already; cancel some first"
                )
                return
            case .chainUnavailable:
                self.init(
                    status: .internalServerError,
                    reason: "The relay cannot reach its node, so it cannot check the order; "
                        + "try again later"
                )
                return
            case .storeUnavailable:
                self.init(
                    status: .internalServerError,
                    reason: "The relay could not store the order; try again later"
                )
                return
            default: continue
            }
        }
        self = .validation(refusals.reasons.compactMap(Self.field))
    }
}

extension Response {
    init(_ status: HTTPResponse.Status = .ok, json: ByteBuffer) {
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: json)
        )
    }

    init(_ fault: any RelayFault) {
        self.init(fault.status, json: ByteBuffer(bytes: fault.json.utf8))
    }
}

extension Request {
    /// The JSON of the body.
    ///
    /// - Throws: `Fault` if it is too large or not JSON.
    func json<Fault: RelayFault>(
        upTo limit: Int,
        _ fault: Fault.Type
    ) async throws -> JSONValue {
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Fault(
                status: .contentTooLarge,
                reason: "The body is larger than \(limit) bytes"
            )
        }
        do throws(JSONError) {
            return try JSONParser.parse(
                buffer.readableBytesView,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            )
        } catch {
            throw Fault.malformedJSON("Malformed JSON: \(error.problem), at byte \(error.offset)")
        }
    }
}
