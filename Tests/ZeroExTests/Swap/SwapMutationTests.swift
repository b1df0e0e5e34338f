import DexTestSupport
import Ethereum
import Foundation
import Testing

@testable import ZeroEx

/// Changed quotes of every kind against the rules, judged by an oracle that does not know them.
///
/// The seed is `SampleSeed`'s, and is printed.
@Suite("Swap quotes, changed")
struct SwapMutationTests {
    private static let seed = SampleSeed.of("SWAP")
    private static let pairs = 3_000
    /// Both become the previous Settler, which is genuine too.
    private static let freeTogether: Set = [
        "exec.operator", "exec.target", "permit2.spender", "transaction.to",
    ]

    @Test("no changed quote that could harm passes; what passes changes only free fields")
    func mutations() throws {
        print("changed swap quotes: DEX_SWAP_SEED=\(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        for sample in try SwapSample.all() {
            let mutator = SwapMutator(sample)
            let singles = mutator.singles(&random, times: 40)
            let pairs = mutator.pairs(&random, count: Self.pairs)
            for (mutants, free) in [
                (singles, sample.free), (pairs, sample.free.union(Self.freeTogether)),
            ] {
                let outcome = try judge(sample, mutants)
                print(outcome.line)
                #expect(outcome.harmful > mutants.count / 8, "harm is seen in \(sample.name)")
                let read = Set(outcome.passed.keys).subtracting(free)
                #expect(read.isEmpty, "\(sample.name): changed and passed: \(read.sorted())")
            }
            // Each kind has fields that may change; none is proof that another is read.
            #expect(try !judge(sample, singles).passed.isEmpty, "nothing passes: \(sample.name)")
            #expect(pairs.count >= 1_000)
        }
    }

    @Test("at least a thousand single changes of the kinds that have arguments")
    func counts() throws {
        var random = SeededGenerator(seed: Self.seed)
        for sample in try SwapSample.all() where sample.fields.count > 2 {
            let count = SwapMutator(sample).singles(&random, times: 40).count
            #expect(count >= 1_000, "\(sample.name): \(count)")
        }
    }

    @Test("the unchanged quotes pass, and the oracle sees no harm in them")
    func genuine() throws {
        for sample in try SwapSample.all() {
            let passes = try Self.passes(sample.quote, sample.terms)
            #expect(passes, "\(sample.name)")
            #expect(SwapOracle(terms: sample.terms).harm(sample.quote) == nil, "\(sample.name)")
        }
    }

    /// What came of the changes of one kind.
    private struct Outcome {
        let name: String
        var all = 0
        var harmful = 0
        /// The harmless ones that passed, by the changed fields.
        var passed: [String: Int] = [:]

        var line: String {
            let list = passed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return "\(name): \(all) changed, \(harmful) harmful and refused; harmless and passed: "
                + list.joined(separator: ", ")
        }
    }

    private func judge(
        _ sample: SwapSample,
        _ mutants: [SwapMutator.Mutant]
    ) throws -> Outcome {
        let oracle = SwapOracle(terms: sample.terms)
        var outcome = Outcome(name: sample.name)
        for mutant in mutants {
            outcome.all += 1
            let passes = try Self.passes(mutant.quote, sample.terms)
            if let harm = oracle.harm(mutant.quote) {
                outcome.harmful += 1
                if passes {
                    Issue.record(
                        """
                        \(sample.name), DEX_SWAP_SEED=\(Self.seed), \(mutant.places): \(harm)
                        \(mutant.quote.call.to) \(mutant.quote.call.value) \
                        \(Hex.encode(mutant.quote.call.data))
                        """
                    )
                }
            } else if passes {
                for place in Set(mutant.places) { outcome.passed[place, default: 0] += 1 }
            }
        }
        return outcome
    }

    /// The rules accept the quote and the message that it wants signed.
    private static func passes(_ quote: SwapQuote, _ terms: SwapTerms) throws -> Bool {
        do throws(QuoteFault) {
            let call = try SwapSample.rules.verify(quote, terms)
            _ = try SwapSample.rules.permit(of: quote, terms)
            return call == quote.call
        } catch {
            return false
        }
    }
}
