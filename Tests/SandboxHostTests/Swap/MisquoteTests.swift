import DexSandbox
import Ethereum
import StrictJSON
import Synchronization
import Testing

@testable import SandboxHost

/// Each fault of the Swap API is wrong in one way and right in all others.
@Suite("Faults of the sandbox's quotes")
struct MisquoteTests {
    private static let amount: UInt256 = 5_000_000_000_000_000_000
    private typealias Kind = SandboxFault.Misquote.Kind

    private func set(_ bench: SwapBench, _ kind: Kind, times: UInt64? = nil) {
        bench.board.set(.quote(.init(kind: kind, times: times)), of: .swap)
    }

    private func items(
        _ bench: SwapBench,
        isExactOut: Bool = false
    ) -> [(name: String, value: String)] {
        let amount = isExactOut ? Self.amount / 1_000 : Self.amount
        return bench.items(SwapBench.zrx, SwapBench.weth, amount, isExactOut: isExactOut)
    }

    /// The members in which two answers differ, beside their ids.
    private func differences(_ one: JSONValue, _ other: JSONValue) -> Set<String> {
        let keys = [one, other].flatMap { $0.objectValue?.members.map(\.key) ?? [] }
        return Set(keys.filter { $0 != "zid" && one[$0] != other[$0] })
    }

    @Test("the call data lies beside an honest JSON, and only for as many quotes as asked")
    func words() async throws {
        let bench = try SwapBench()
        let honest = try await bench.quote(.allowanceHolder, items(bench))
        let right = try QuotedCall(honest)
        for (kind, place) in [(Kind.recipient, 0), (.token, 1), (.minimum, 2)] {
            set(bench, kind, times: 2)
            for number in 0..<2 {
                let price = try await bench.ask("/swap/allowance-holder/price", items(bench))
                #expect(price.json["buyAmount"] == honest["buyAmount"])
                let quote = try await bench.quote(.allowanceHolder, items(bench))
                #expect(differences(honest, quote) == ["transaction"], "\(kind)")
                let call = try QuotedCall(quote)
                #expect(call.exec == right.exec)
                for index in 0..<4 {
                    #expect((call.head[index] == right.head[index]) == (index != place))
                }
                if kind == .minimum {
                    let minimum = try #require(honest["minBuyAmount"]?.amount)
                    #expect(UInt256(call.head[2]) == (number == 0 ? .zero : minimum / 2))
                }
            }
            let quote = try await bench.quote(.allowanceHolder, items(bench))
            let after = try QuotedCall(quote)
            #expect(after.head[..<4] == right.head[..<4], "\(kind)")
            // Two prices, two quotes and the one that is right again.
            let entry = try #require(bench.board.all.first)
            #expect(entry.hits == 2 && entry.requests == 5)
        }
    }

    @Test("an unknown Settler is called; the previous one is genuine and works")
    func settlers() async throws {
        let bench = try SwapBench()
        for endpoint in SwapAPI.Endpoint.allCases {
            set(bench, .settler)
            let unknown = try await bench.quote(endpoint, items(bench))
            let stranger = SwapContracts.stranger
            if let exec = try QuotedCall(unknown).exec {
                #expect(exec[0] == stranger.word && exec[3] == stranger.word)
            } else {
                #expect(unknown["transaction"]?["to"]?.stringValue == stranger.lowercaseHex)
                let spender = unknown["permit2"]?["eip712"]?["message"]?["spender"]?.stringValue
                #expect(spender.flatMap(Address.init(ifHex:)) == stranger)
            }
            set(bench, .previous)
            let previous = try await bench.quote(endpoint, items(bench))
            let settler = try Address("0x5e77000000000000000000000000000000000001")
            if let exec = try QuotedCall(previous).exec {
                #expect(exec[0] == settler.word && exec[3] == settler.word)
            } else {
                #expect(previous["transaction"]?["to"]?.stringValue == settler.lowercaseHex)
            }
            #expect(try await bench.send(previous).succeeded)
        }
    }

    @Test("a stale quote is of an old block, and its deadline has passed: it reverts")
    func stale() async throws {
        let bench = try SwapBench()
        for _ in 0..<3 { _ = try await bench.chain.mine() }
        set(bench, .stale)
        for endpoint in SwapAPI.Endpoint.allCases {
            let quote = try await bench.quote(endpoint, items(bench))
            #expect(quote["blockNumber"] == "0")
            #expect(try await !bench.send(quote).succeeded)
        }
    }

    @Test("a worse quote is 3 % worse than the price before it, and can be sent")
    func worse() async throws {
        let bench = try SwapBench()
        for isExactOut in [false, true] {
            set(bench, .worse)
            let items = items(bench, isExactOut: isExactOut)
            let price = try await bench.ask("/swap/permit2/price", items).json
            let quote = try await bench.quote(.permit2, items)
            if isExactOut {
                let maximum = try #require(price["maxSellAmount"]?.amount)
                #expect(quote["maxSellAmount"]?.amount == (maximum * 103 + 99) / 100)
                #expect(quote["buyAmount"] == price["buyAmount"])
            } else {
                let bought = try #require(price["buyAmount"]?.amount)
                #expect(quote["buyAmount"]?.amount == bought * 97 / 100)
                let minimum = try #require(quote["minBuyAmount"]?.amount)
                #expect(UInt256(try QuotedCall(quote).head[2]) == minimum)
            }
            #expect(try await bench.send(quote).succeeded)
        }
    }

    @Test("the JSON lies about spender and balance, in prices and quotes")
    func issues() async throws {
        let bench = try SwapBench()
        for path in ["/swap/allowance-holder/price", "/swap/allowance-holder/quote"] {
            set(bench, .spender)
            let spender = try await bench.ask(path, items(bench)).json
            let stranger = SwapContracts.stranger.lowercaseHex
            #expect(spender["allowanceTarget"]?.stringValue == stranger)
            #expect(spender["issues"]?["allowance"]?["spender"]?.stringValue == stranger)
            #expect(spender["issues"]?["balance"] == .null)
            set(bench, .balance)
            let balance = try await bench.ask(path, items(bench)).json["issues"]
            #expect(balance?["balance"]?["actual"]?.amount == Self.amount - 1)
            #expect(balance?["balance"]?["expected"]?.amount == Self.amount)
            #expect(balance?["allowance"] == .null)
            set(bench, .noLiquidity)
            let none = try await bench.ask(path, items(bench)).json
            #expect(none["liquidityAvailable"] == false && none["buyAmount"] == nil)
        }
    }

    @Test("every malformed member comes once, and then they begin again")
    func fields() async throws {
        let bench = try SwapBench()
        let honest = try await bench.quote(.allowanceHolder, items(bench))
        set(bench, .fields)
        for fault in FieldFault.all + FieldFault.all.prefix(1) {
            let quote = try await bench.quote(.allowanceHolder, items(bench))
            let changed = differences(honest, quote)
            // Each quote has another id in its call data.
            #expect(changed.subtracting(["transaction"]).isSubset(of: [fault.path[0]]))
            #expect(fault.isOfQuote || changed.contains(fault.path[0]), "\(fault)")
            var found: JSONValue? = quote
            for key in fault.path { found = found?[key] }
            #expect(found == fault.value, "\(fault)")
        }
        for _ in FieldFault.all.filter({ !$0.isOfQuote }) {
            let price = try await bench.ask("/swap/permit2/price", items(bench)).json
            #expect(price["transaction"] == nil)
        }
    }

    @Test("a web page with 200, and an answer after 30 s")
    func pageAndDelay() async throws {
        let waits = Waits()
        let bench = try SwapBench(sleep: { time in waits.times.withLock { $0.append(time) } })
        set(bench, .html)
        let page = try await bench.api.answer(
            SwapAPI.Request(
                path: "/swap/permit2/quote",
                items: items(bench),
                key: "sandbox",
                version: "v2"
            )
        )
        #expect(page.isWebPage && page.status == 200)
        #expect(page.body.starts(with: "<!doctype html>".utf8))
        set(bench, .slow, times: 1)
        for _ in 0..<2 { _ = try await bench.quote(.permit2, items(bench)) }
        #expect(waits.times.withLock { $0 } == [.seconds(30)])
    }

    @Test("a server that stops during the delay does not answer")
    func interrupted() async throws {
        let bench = try SwapBench(sleep: { _ in throw CancellationError() })
        set(bench, .slow)
        await #expect(throws: CancellationError.self) {
            try await bench.quote(.permit2, items(bench))
        }
    }

    @Test("direct wraps have no words to lie in")
    func wraps() async throws {
        let bench = try SwapBench()
        let wrap = bench.items(SwapBench.native, SwapBench.weth, Self.amount)
        let honest = try await bench.quote(.allowanceHolder, wrap)
        for kind in Kind.allCases where !kind.strikesWraps {
            set(bench, kind)
            let quote = try await bench.quote(.allowanceHolder, wrap)
            #expect(differences(honest, quote).isEmpty, "\(kind)")
            #expect(bench.board.all.first?.hits == 0)
        }
        set(bench, .settler)
        let quote = try await bench.quote(.allowanceHolder, wrap)
        #expect(quote["transaction"]?["to"]?.stringValue == SwapContracts.stranger.lowercaseHex)
    }

    @Test("a fault comes back from its JSON; what is wrong in it is said")
    func json() throws {
        for kind in Kind.allCases {
            let fault = SandboxFault.quote(.init(kind: kind))
            #expect(try SandboxFault(.object(fault.members)) == fault)
            let limited = SandboxFault.quote(.init(kind: kind, times: 3))
            if kind == .paused {
                #expect(throws: FaultError.self) { try SandboxFault(.object(limited.members)) }
            } else {
                #expect(try SandboxFault(.object(limited.members)) == limited)
            }
        }
        for json: JSONValue in [
            ["fault": "quote"], ["fault": "quote", "kind": "evil"],
            ["fault": "quote", "kind": "html", "times": 0],
            ["fault": "quote", "kind": "html", "times": 1001],
            ["fault": "quote", "kind": "html", "times": "1"],
        ] {
            #expect(throws: FaultError.self) { try SandboxFault(json) }
        }
    }
}

/// The delays that were asked for.
private final class Waits: Sendable {
    let times = Mutex<[Duration]>([])
}
