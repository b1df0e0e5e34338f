import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A book is verified once")
struct SignatureCacheTests {
    private let market: TestMarket
    private let recoverer = CountingRecoverer()

    init() throws {
        market = try TestMarket()
    }

    /// A cache of a process of its own; each has another key if it needs a new one.
    private func cache(_ storage: MemorySignatures) -> SignatureCache {
        SignatureCache(storage: storage, random: market.clock.environment.random)
    }

    private func verifier(
        _ cache: SignatureCache?,
        _ change: (inout Session) -> Void = { _ in }
    ) throws -> OrderVerifier {
        var session = try market.session()
        session.recoverer = recoverer
        session.signatures = cache
        change(&session)
        return OrderVerifier(session: session)
    }

    private func orders(_ count: Int) async throws -> [any SignedOrder] {
        var orders: [any SignedOrder] = []
        for index in 0..<UInt64(count) {
            let maker = market.makers[Int(index) % market.makers.count]
            orders.append(
                try await market.ask(by: maker, "1", for: "0.001", salt: UInt256(index))
            )
        }
        return orders
    }

    /// Verifies in a command of its own, and says how many signatures were recovered.
    private func recoveries(
        _ orders: [any SignedOrder],
        _ storage: MemorySignatures,
        expecting verified: Int? = nil
    ) async throws -> Int {
        let cache = cache(storage)
        let outcome = try await verifier(cache).verify(orders)
        #expect(outcome.verified.count == verified ?? orders.count)
        cache.save()
        return recoverer.taken()
    }

    // MARK: What is remembered

    @Test(
        "the second command recovers nothing, whatever part of a list it reads",
        arguments: [1, 100]
    )
    func secondCommand(count: Int) async throws {
        let storage = MemorySignatures()
        let orders = try await orders(count)
        #expect(try await recoveries(orders, storage) == count)
        let writes = storage.writes
        #expect(try await recoveries(orders, storage) == 0)
        #expect(try await recoveries(orders.reversed().dropLast(count / 2), storage) == 0)
        #expect(storage.writes == writes, "there was nothing new")
        #expect(
            try await recoveries(orders + (try await self.orders(count + 1).suffix(1)), storage)
                == 1
        )
    }

    @Test("orders that arrive one by one are remembered like a list")
    func arrivals() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(70)
        for expected in [70, 0] {
            let cache = cache(storage)
            let (arrivals, feed) = AsyncStream.makeStream(of: [any SignedOrder].self)
            for order in orders { feed.yield([order]) }
            feed.finish()
            let verifier = try verifier(cache)
            let verdicts = await verifier.verdicts(on: arrivals)
            let outcome = await verifier.verify(orders, verdicts: verdicts, areDistinct: true)
            #expect(outcome.verified.count == 70)
            cache.save()
            #expect(recoverer.taken() == expected)
        }
    }

    @Test("the whole book is the same with and without a cache")
    func sameBook() async throws {
        let maker = market.makers[0]
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        let good = try await market.ask(by: maker, "1", for: "0.001", salt: 1)
        let other = try await market.ask(by: maker, "1", for: "0.002", salt: 2)
        let signed = try #require(good as? SignedOrderV1)
        let wrong = try #require(other as? SignedOrderV1)
        let forged = SignedOrderV1(terms: signed.terms, signature: wrong.signature)
        market.setBook(asks: [forged, good, other])
        let storage = MemorySignatures()
        let pair = try market.zrxWeth()
        var books: [BookSnapshot] = []
        var counts: [Int] = []
        for cache in [nil, cache(storage), cache(storage), cache(storage)] {
            var session = try market.session()
            session.recoverer = recoverer
            session.signatures = cache
            books.append(try await BookReader(session: session).snapshot(of: pair))
            cache?.save()
            counts.append(recoverer.taken())
        }
        for book in books {
            #expect(book.asks.map(\.order.copyID) == [good.copyID, other.copyID])
            #expect(book.dropped.map(\.reason.code) == ["bad-signature"])
            #expect(book.verified == 2)
        }
        // The forged copy is recovered as it arrives and again beside its twin; it is never kept.
        #expect(counts == [4, 4, 2, 2])
    }

    // MARK: What is not believed

    @Test("a forged copy of a known order is recovered and dropped, and hides nothing")
    func forgedCopy() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(2)
        #expect(try await recoveries(orders, storage) == 2)
        let genuine = try #require(orders[0] as? SignedOrderV1)
        let other = try #require(orders[1] as? SignedOrderV1)
        let flipped = try #require(
            Signature(
                r: genuine.signature.r,
                s: genuine.signature.s,
                yParity: 1 - genuine.signature.yParity
            )
        )
        for signature in [other.signature, flipped] {
            let forged = SignedOrderV1(terms: genuine.terms, signature: signature)
            #expect(forged.hash == genuine.hash)
            // A refusal is no fact to keep: it is found again each time.
            for _ in 0..<2 {
                #expect(try await recoveries([forged], storage, expecting: 0) == 1)
            }
            #expect(try await recoveries([forged, genuine], storage, expecting: 1) == 1)
        }
    }

    @Test("an order that was dropped counts once its maker has signed it")
    func signedLater() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(2)
        let genuine = try #require(orders[0] as? SignedOrderV1)
        let other = try #require(orders[1] as? SignedOrderV1)
        let forged = SignedOrderV1(terms: genuine.terms, signature: other.signature)
        #expect(try await recoveries([forged], storage, expecting: 0) == 1)
        #expect(try await recoveries([genuine], storage) == 1)
        #expect(try await recoveries([genuine], storage) == 0)
    }

    @Test("terms that were changed have another hash, so nothing is known of them")
    func changedTerms() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(1)
        #expect(try await recoveries(orders, storage) == 1)
        let genuine = try #require(orders[0] as? SignedOrderV1)
        let changes: [(inout OrderDraft) -> Void] = [
            { $0.makerAmount += 1 }, { $0.takerAmount -= 1 }, { $0.expiry += 1 },
            { $0.salt += 1 }, { [market] in $0.maker = market.makers[1].address },
            { [market] in $0.taker = market.trader.address },
            { $0.makerToken = TestMarket.usdc }, { $0.fees.takerFee = 1 },
        ]
        for change in changes {
            var terms = genuine.terms
            change(&terms)
            let changed = SignedOrderV1(terms: terms, signature: genuine.signature)
            #expect(try await recoveries([changed], storage, expecting: 0) == 1)
        }
        var elsewhere = genuine.terms
        elsewhere.exchange = TestMarket.proxy
        let other = SignedOrderV1(terms: elsewhere, signature: genuine.signature)
        #expect(try await recoveries([other], storage, expecting: 0) == 0)
    }

    @Test("what is known for one maker, chain, exchange or version is not for another")
    func otherPurpose() async throws {
        let storage = MemorySignatures()
        let order = try #require(try await orders(1).first)
        #expect(try await recoveries([order], storage) == 1)
        let changes: [(inout Session) -> Void] = [
            { $0.network.chainID = 1 },
            { $0.network.exchange = TestMarket.proxy },
            {
                $0.exchangeProtocol = ZeroExV4(
                    domain: ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange),
                    signatureKind: .ethSign
                )
            },
        ]
        for change in changes {
            let cache = cache(storage)
            let recovery = cache.recovery(for: try verifier(cache, change).purpose, recoverer)
            let again = cache.recovery(for: try verifier(cache).purpose, recoverer)
            let signed = try #require(order as? SignedOrderV1)
            for (recovery, maker, expected) in [
                (recovery, signed.maker, 1), (again, signed.maker, 0),
                (again, market.trader.address, 1),
            ] {
                let signer = try recovery.recoverer(claiming: maker)
                    .recover(message: signed.hash.word, signature: signed.signature)
                #expect(signer == signed.maker)
                #expect(recoverer.taken() == expected)
            }
            // A claim that is false is not kept.
            #expect(again.verified.isEmpty && recovery.verified.count == 1)
        }
    }

    @Test(
        "v4: each kind of signature is verified by itself, and what only a chain knows is never kept"
    )
    func kindsOfV4() async throws {
        let maker = market.makers[0]
        let domain = ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange)
        let terms = LimitOrderV4(
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: 10,
            takerAmount: 10,
            maker: maker.address,
            expiry: TestMarket.now + 86_400,
            salt: 1
        )
        let storage = MemorySignatures()
        func verified(_ order: SignedOrderV4) async throws -> (Int, Int) {
            let cache = cache(storage)
            let outcome = try await verifier(cache) { session in
                session.exchangeProtocol = ZeroExV4(domain: domain, signatureKind: .ethSign)
            }.verify([order])
            cache.save()
            return (outcome.verified.count, recoverer.taken())
        }
        for kind in SignatureKindV4.allCases {
            let order = try await SignedOrderV4.sign(terms, in: domain, kind: kind, with: maker)
            #expect(try await verified(order) == (1, 1))
            #expect(try await verified(order) == (1, 0))
            // The same r and s as another kind, or as one that the contract asks the chain for.
            for type in [UInt8(2), 3, 4] where type != kind.rawValue {
                var signature = order.signature
                signature.type = type
                let other = SignedOrderV4(terms: terms, domain: domain, signature: signature)
                for _ in 0..<2 {
                    #expect(try await verified(other) == (0, type == 4 ? 0 : 1))
                }
            }
            // Signed by a key that the maker may have registered with the contract.
            let registered = try await SignedOrderV4.sign(
                terms,
                in: domain,
                kind: kind,
                with: market.makers[1]
            )
            for _ in 0..<2 { #expect(try await verified(registered) == (0, 1)) }
        }
    }

    // MARK: Damage

    @Test("a file with any byte changed, or cut anywhere, is ignored and replaced")
    func damage() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(3)
        #expect(try await recoveries(orders, storage) == 3)
        let whole = try #require(storage[.signatures])
        #expect(whole.count == 88)
        var damaged = whole.indices.map { index in
            var bytes = whole
            bytes[index] ^= 1 << UInt8(index % 8)
            return bytes
        }
        damaged += whole.indices.map { Array(whole[..<$0]) }
        damaged += [whole + [0], whole + whole.suffix(16)]
        damaged.append(whole + [UInt8](repeating: 0, count: 16 * VerifiedSignatures.maximum))
        for bytes in damaged {
            storage[.signatures] = bytes
            #expect(try await recoveries(orders, storage) == 3)
            #expect(storage[.signatures] == whole)
        }
        #expect(try await recoveries(orders, storage) == 0)
    }

    @Test("with another home's file, or a damaged or missing key, everything is verified anew")
    func foreign() async throws {
        let (storage, other) = (MemorySignatures(), MemorySignatures())
        let orders = try await orders(3)
        #expect(try await recoveries(orders, storage) == 3)
        #expect(try await recoveries(orders, other) == 3)
        #expect(storage[.key] != other[.key])
        storage[.signatures] = other[.signatures]
        #expect(try await recoveries(orders, storage) == 3)
        #expect(try await recoveries(orders, storage) == 0)
        for key in [nil, [], [UInt8](repeating: 7, count: 31), [UInt8](repeating: 7, count: 33)] {
            storage[.key] = key
            #expect(try await recoveries(orders, storage) == 3)
            #expect(storage[.key]?.count == 32)
            #expect(try await recoveries(orders, storage) == 0)
        }
    }

    @Test("no file holds more than the bound; the newest stay")
    func bound() async throws {
        let storage = MemorySignatures()
        let old = try await orders(1)
        #expect(try await recoveries(old, storage) == 1)
        let key = try #require(storage[.key].flatMap { Bytes32(bytes: $0) })
        let file = SignatureCacheFile(key: key)
        let kept = try #require(storage[.signatures].flatMap(file.signatures)).newest
        let fill = (0..<VerifiedSignatures.maximum - 1).map { SignatureDigest(value: UInt128($0)) }
        storage[.signatures] = file.bytes(VerifiedSignatures(kept + fill))
        #expect(storage[.signatures]?.count == SignatureCachePart.signatures.maximumBytes)
        #expect(try await recoveries(old, storage) == 0)
        let new = try await orders(2).suffix(1)
        #expect(try await recoveries(Array(new), storage) == 1)
        #expect(storage[.signatures]?.count == SignatureCachePart.signatures.maximumBytes)
        #expect(try await recoveries(Array(new), storage) == 0)
        #expect(try await recoveries(old, storage) == 1)
    }

    @Test("without a place to write to, all is verified each time and nothing fails")
    func unwritable() async throws {
        let storage = MemorySignatures(refuses: true)
        let orders = try await orders(40)
        for _ in 0..<2 { #expect(try await recoveries(orders, storage) == 40) }
        #expect(storage[.key] == nil && storage[.signatures] == nil)
    }

    // MARK: Several at once

    @Test("two commands at once keep what both verified, once there is a key")
    func together() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(9)
        #expect(try await recoveries(Array(orders[..<3]), storage) == 3)
        let (first, second) = (cache(storage), cache(storage))
        for (cache, part) in [(first, orders[..<6]), (second, orders[6...])] {
            #expect(try await verifier(cache).verify(Array(part)).verified.count == part.count)
        }
        first.save()
        second.save()
        #expect(recoverer.taken() == 6)
        #expect(try await recoveries(orders, storage) == 0)
    }

    @Test("of two first commands at once one key stays, with the entries by it")
    func firstTogether() async throws {
        let storage = MemorySignatures()
        let orders = try await orders(6)
        let (first, second) = (cache(storage), cache(storage))
        #expect(try await verifier(first).verify(Array(orders[..<4])).verified.count == 4)
        #expect(try await verifier(second).verify(Array(orders[4...])).verified.count == 2)
        first.save()
        let key = storage[.key]
        second.save()
        second.save()
        #expect(storage[.key] == key)
        _ = recoverer.taken()
        #expect(try await recoveries(orders, storage) == 2)
        #expect(try await recoveries(orders, storage) == 0)
    }

    @Test("passes of one command at once lose nothing")
    func concurrentPasses() async throws {
        let storage = MemorySignatures()
        let cache = cache(storage)
        let orders = try await orders(200)
        let verifier = try verifier(cache)
        await withTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: 200, by: 20) {
                group.addTask {
                    let outcome = await verifier.verify(Array(orders[start..<start + 20]))
                    #expect(outcome.verified.count == 20)
                    cache.save()
                }
            }
        }
        #expect(recoverer.taken() == 200)
        #expect(try await recoveries(orders, storage) == 0)
    }
}
