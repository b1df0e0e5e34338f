import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

/// Keeps a book by a relay's feed of v1, and resumes where it was whenever its connection ends.
actor FeedReader {
    private let port: Int
    private(set) var book: Set<OrderHash> = []
    /// The last sequence that it knows.
    private var sequence: UInt64?
    private(set) var resumptions = 0
    /// Messages whose predecessor it has not seen.
    private(set) var gaps = 0
    /// Snapshots after the first: it could not resume.
    private(set) var comparisons = 0
    private var isStopped = false

    init(_ url: String) throws {
        port = try #require(URL(string: url)?.port)
    }

    func stop() {
        isStopped = true
    }

    /// Reads until it is stopped and the connection ends.
    func run() async throws {
        while !isStopped {
            let client = try await FrameClient.open(port: port, path: "/v0/ws")
            let position = sequence.map { "\"since\":\($0)" } ?? "\"snapshot\":true"
            try await client.send(
                FrameClient.text(
                    """
                    {"type":"subscribe","channel":"orderbook","requestId":1,"payload":{\
                    "baseTokenAddress":"\(FaultTrader.zrx.lowercaseHex)",\
                    "quoteTokenAddress":"\(FaultTrader.weth.lowercaseHex)",\(position)}}
                    """
                )
            )
            if sequence != nil { resumptions += 1 }
            while let frame = try await client.frame() {
                guard frame.opcode == 1 else {
                    // A relay that stops says so; nothing else ends a feed.
                    #expect(frame.closeCode == 1001, "\(frame)")
                    break
                }
                try take(try JSONParser.parse(text: frame.text))
            }
        }
    }

    private func take(_ message: JSONValue) throws {
        let number = try #require(
            message["sequence"]?.numberText.flatMap { UInt64($0) },
            "\(message.text)"
        )
        switch message["type"]?.stringValue {
        case "snapshot":
            if sequence != nil { comparisons += 1 }
            #expect(message["complete"] == true)
            let sides = ["bids", "asks"].flatMap { message["payload"]?[$0]?.arrayValue ?? [] }
            book = Set(try sides.map { try RelayKillBench.hash(.v1, $0) })
        case "update":
            note(message)
            book.insert(try RelayKillBench.hash(.v1, message["payload"]))
        case "change":
            note(message)
            for change in message["payload"]?.arrayValue ?? [] {
                let hash = OrderHash(
                    try Bytes32(hex: try #require(change["orderHash"]?.stringValue))
                )
                if change["state"] == "shown" { book.insert(hash) } else { book.remove(hash) }
            }
        default: Issue.record("\(message.text)")
        }
        sequence = number
    }

    private func note(_ message: JSONValue) {
        let previous = message["previous"]?.numberText.flatMap { UInt64($0) }
        if let previous, let sequence, previous > sequence { gaps += 1 }
    }
}
