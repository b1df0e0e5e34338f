import Glibc

/// One subscriber: a WebSocket that keeps nothing of a message but its sequence.
struct FeedReader {
    let descriptor: Int32
    /// The sequence of the last message; nil before the first.
    private(set) var sequence: UInt64?
    /// When the last message was read whole.
    private(set) var read = Moment.now

    /// The header of a frame, and then the first bytes of its payload.
    private var start: [UInt8] = []
    private var headerLength = 2
    /// Bytes of the payload that are still to come; nil within the header.
    private var left: Int?

    /// So many bytes of a payload have the sequence among them.
    private static let kept = 256

    /// Connects and upgrades.
    init(port: UInt16, path: String) throws(ChildProcessError) {
        descriptor = try Loopback.connect(port: port)
        let request =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        try Loopback.write(Array(request.utf8), to: descriptor)
        var answer: [UInt8] = []
        // The server says nothing more before it is asked.
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(descriptor, &part, part.count)
            guard count > 0 else { throw .failed("read", errno) }
            answer += part[..<count]
        }
        guard answer.starts(with: "HTTP/1.1 101 ".utf8) else {
            throw .failed("the WebSocket's upgrade", EPROTO)
        }
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw .failed("fcntl", errno) }
    }

    /// Sends a text message.
    func send(text: String) throws(ChildProcessError) {
        try send(opcode: 1, Array(text.utf8))
    }

    private func send(opcode: UInt8, _ payload: [UInt8]) throws(ChildProcessError) {
        let length =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)]
            : [0xFE, UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
        // A mask of zeros leaves the payload as it is.
        try Loopback.write([0x80 | opcode] + length + [0, 0, 0, 0] + payload, to: descriptor)
    }

    /// Reads what has arrived.
    mutating func read(_ buffer: inout [UInt8]) throws(ChildProcessError) {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            throw .failed("read of a feed", count == 0 ? ECONNRESET : errno)
        }
        let arrived = Moment.now
        var place = 0
        while place < count {
            if let length = left {
                let taken = min(length, count - place)
                let room = min(taken, max(0, headerLength + Self.kept - start.count))
                start += buffer[place..<place + room]
                place += taken
                left = length - taken
            } else {
                let taken = min(headerLength - start.count, count - place)
                start += buffer[place..<place + taken]
                place += taken
                guard start.count == headerLength else { continue }
                parseHeader()
            }
            if left == 0 { try finishFrame(at: arrived) }
        }
    }

    /// The payload's length, or how long the header is.
    private mutating func parseHeader() {
        let short = Int(start[1] & 0x7F)
        let whole = short == 126 ? 4 : short == 127 ? 10 : 2
        guard headerLength == whole else {
            headerLength = whole
            return
        }
        left = short < 126 ? short : start[2...].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func finishFrame(at moment: Moment) throws(ChildProcessError) {
        let payload = start[headerLength...]
        switch start[0] & 0x0F {
        case 1:
            guard let reached = Self.sequence(in: payload) else {
                throw .failed("the feed's message", EPROTO)
            }
            sequence = reached
            read = moment
        case 9: try send(opcode: 10, Array(payload))
        case 8: throw .failed("the feed: the relay closed it", ECONNRESET)
        default: break
        }
        start = []
        headerLength = 2
        left = nil
    }

    private static func sequence(in payload: ArraySlice<UInt8>) -> UInt64? {
        let name = Array("\"sequence\":".utf8)
        var rest = payload
        while rest.count > name.count {
            if rest.starts(with: name) {
                let digits = rest.dropFirst(name.count).prefix { (0x30...0x39).contains($0) }
                return UInt64(String(decoding: digits, as: UTF8.self))
            }
            rest.removeFirst()
        }
        return nil
    }
}
