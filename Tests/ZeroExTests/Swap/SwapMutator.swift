import DexTestSupport
import Ethereum

@testable import ZeroEx

/// Changes fields of a quote, at random from a seed.
struct SwapMutator {
    /// One place of a quote; a change gets its number and returns another.
    struct Place {
        let name: String
        let change: (inout SwapQuote, (UInt256) -> UInt256) -> Void
    }

    /// The changed quote and the places that differ.
    struct Mutant {
        let quote: SwapQuote
        let places: [String]
    }

    let places: [Place]
    private let values: [UInt256]
    private let original: SwapQuote

    init(_ sample: SwapSample) {
        original = sample.quote
        places = Self.places(of: sample)
        let addresses = [
            Address.zero, SwapSample.account, SwapSample.attacker, SwapSample.sold,
            SwapSample.bought, SwapSample.wrapped, SwapSample.settler, SwapSample.previous,
            ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.permit2,
            ZeroExSwapContracts.registry, ZeroExSwapContracts.nativeCoin,
        ]
        let amounts = [SwapSample.maximum, SwapSample.sells, SwapSample.bound, SwapSample.minimum]
        let selectors: [UInt256] = [
            0x2213_bc0b, 0x1fff_991f, 0x06b8_524c, 0x3036_d6a6, 0x15da_cbea, 0xd0e3_0db0,
            0x2e1a_7d4d, 0x095e_a7b3, 0xa905_9cbb,
        ]
        let sizes: [UInt256] = [0, 1, 2, 4, 31, 32, 33, 64, 0xa0, 0xc0, 0xffff, .max, 1 << 63]
        let times = [0, 300, 600, 601].map { UInt256(SwapSample.now + $0) }
        values =
            addresses.map { UInt256($0.word) } + amounts.flatMap { [$0 - 1, $0, $0 + 1] }
            + selectors + sizes + times
    }

    /// Every value in every place, then so many random changes of each place.
    func singles(_ random: inout SeededGenerator, times: Int) -> [Mutant] {
        var mutants: [Mutant] = []
        for place in places {
            for value in values { mutants.append(mutant([(place, { _ in value })])) }
            for _ in 0..<times { mutants.append(mutant([(place, change(&random))])) }
        }
        return mutants.filter { !$0.places.isEmpty }
    }

    /// Changes of two places at once.
    func pairs(_ random: inout SeededGenerator, count: Int) -> [Mutant] {
        guard places.count > 1 else { return [] }
        var mutants: [Mutant] = []
        while mutants.count < count {
            let first = random.below(places.count)
            let second = (first + 1 + random.below(places.count - 1)) % places.count
            let changed = mutant([
                (places[first], change(&random)), (places[second], change(&random)),
            ])
            if !changed.places.isEmpty { mutants.append(changed) }
        }
        return mutants
    }

    private func change(_ random: inout SeededGenerator) -> (UInt256) -> UInt256 {
        switch random.below(8) {
        case 0: return { $0 &+ 1 }
        case 1: return { $0 &- 1 }
        case 2:
            let bit = UInt256(1) << random.below(256)
            return { $0 ^ bit }
        case 3:
            let above = UInt256(random.next()) << 160
            return { $0 | above }
        case 4:
            let any = UInt256(bigEndian: random.bytes(32)) ?? .zero
            return { _ in any }
        case 5:
            let small = UInt256(random.next() & 0xffff)
            return { $0 &+ small }
        default:
            let value = random.pick(values)
            return { _ in value }
        }
    }

    private func mutant(_ changes: [(Place, (UInt256) -> UInt256)]) -> Mutant {
        var quote = original
        var changed: [String] = []
        for (place, change) in changes {
            let before = quote
            place.change(&quote, change)
            if quote != before { changed.append(place.name) }
        }
        // A second change may undo the first one: a message brings the hash that fits it.
        return Mutant(quote: quote, places: quote == original ? [] : changed)
    }

    private static func places(of sample: SwapSample) -> [Place] {
        var places = sample.fields.map { field in
            Place(name: field.name) { quote, change in
                // The data may have become shorter by another change.
                guard field.range.upperBound <= quote.call.data.count else { return }
                let before = UInt256(bigEndian: quote.call.data[field.range].suffix(32)) ?? .zero
                let word = change(before).bigEndianBytes
                let count = min(32, field.range.count)
                quote.call.data.replaceSubrange(
                    field.range.upperBound - count..<field.range.upperBound,
                    with: word.suffix(count)
                )
            }
        }
        places.append(
            Place(name: "transaction.to") { quote, change in
                quote.call.to = Address(truncating: change(UInt256(quote.call.to.word)).word)
            }
        )
        places.append(
            Place(name: "transaction.value") { quote, change in
                quote.call.value = Wei(change(quote.call.value.rawValue))
            }
        )
        places.append(
            Place(name: "allowanceTarget") { quote, change in
                let before = UInt256((quote.namedSpender ?? .zero).word)
                quote.namedSpender = Address(truncating: change(before).word)
            }
        )
        places.append(
            Place(name: "end of the data") { quote, change in
                let count = Int((change(0) % 140).w0)
                if count < 70 {
                    quote.call.data += [UInt8](repeating: UInt8(count % 3), count: count)
                } else {
                    quote.call.data.removeLast(min(count - 69, quote.call.data.count))
                }
            }
        )
        return places + (sample.quote.permit == nil ? [] : permitPlaces)
    }

    /// The message's members come with the hash that fits them: a liar would send it.
    private static var permitPlaces: [Place] {
        let numbers: [(String, WritableKeyPath<SwapPermit, UInt256>)] = [
            ("permit2.permitted.amount", \.amount), ("permit2.nonce", \.nonce),
            ("permit2.deadline", \.deadline),
        ]
        let addresses: [(String, WritableKeyPath<SwapPermit, Address>)] = [
            ("permit2.permitted.token", \.token), ("permit2.spender", \.spender),
            ("permit2.verifyingContract", \.contract),
        ]
        let changes = numbers.map { name, path in
            Place(name: name) { quote, change in
                guard var permit = quote.permit else { return }
                permit[keyPath: path] = change(permit[keyPath: path])
                quote.permit = permit
                quote.permitHash = permit.hash
            }
        }
        let others = addresses.map { name, path in
            Place(name: name) { quote, change in
                guard var permit = quote.permit else { return }
                let before = UInt256(permit[keyPath: path].word)
                permit[keyPath: path] = Address(truncating: change(before).word)
                quote.permit = permit
                quote.permitHash = permit.hash
            }
        }
        return changes + others + [
            Place(name: "permit2.chainId") { quote, change in
                guard var permit = quote.permit else { return }
                permit.chainID = change(UInt256(permit.chainID)).w0
                quote.permit = permit
                quote.permitHash = permit.hash
            },
            Place(name: "permit2.hash") { quote, change in
                quote.permitHash = quote.permitHash.map { change(UInt256($0)).word }
            },
        ]
    }
}
