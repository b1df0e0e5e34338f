import Testing

@Suite("Fuzz targets")
struct CorpusTests {
    @Test("every input that is kept has all properties of its target", arguments: FuzzTarget.all)
    func corpus(_ target: FuzzTarget) async throws {
        let inputs = try Corpus.inputs(of: target)
        #expect(!inputs.isEmpty, "nothing is kept for \(target.name)")
        for input in inputs {
            #expect(input.bytes.count <= max(target.maximumLength, 8_192), "\(input.name) is large")
            await expectNoProblem(target, input.bytes, input.name)
        }
    }

    @Test("every seed has all properties of its target", arguments: FuzzTarget.all)
    func seeds(_ target: FuzzTarget) async throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        for (index, seed) in seeds.enumerated() {
            #expect(seed.count <= target.maximumLength, "seed \(index) of \(target.name) is cut")
            await expectNoProblem(target, seed, "seed \(index)")
        }
    }

    @Test("seeds cut off at any place, and with any byte changed, have all properties")
    func mutations() async throws {
        var random = SplitMix64(state: 2_026)
        for target in FuzzTarget.all {
            let seeds = try target.seeds()
            for _ in 0..<60 {
                guard var input = seeds.randomElement(using: &random) else { continue }
                for _ in 0..<(1 + Int(random.next() % 3)) where !input.isEmpty {
                    let position = Int(random.next() % UInt64(input.count))
                    switch random.next() % 4 {
                    case 0: input.removeSubrange(position...)
                    case 1: input[position] = UInt8(truncatingIfNeeded: random.next())
                    case 2: input[position] ^= 1 << UInt8(random.next() % 8)
                    default: input.insert(input[position], at: position)
                    }
                }
                await expectNoProblem(target, input, "a changed seed")
            }
        }
    }

    @Test("the corpus has a folder for each target and no other; no two targets share a name")
    func folders() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(try Corpus.folders().sorted() == names.sorted())
    }

    @Test("a target whose property does not hold is told with what does not")
    func violations() async {
        let target = FuzzTarget("example", maximumLength: 8, seeds: { [[1]] }) { input in
            try requireEqual(input, [1], "an input is one")
        }
        await #expect(throws: Never.self) { try await target.run([1]) }
        let violation = await #expect(throws: Violation.self) { try await target.run([2]) }
        #expect(violation?.description == "an input is one:\n  [2]\n  [1]")
        #expect(throws: Violation.self) { try requireHarmless("a\u{1B}b", "a text") }
        #expect(throws: Violation.self) { try requirePlainJSON(Array("\"\u{80}\"".utf8)) }
    }

    private func expectNoProblem(_ target: FuzzTarget, _ input: [UInt8], _ name: String) async {
        do {
            try await target.run(input)
        } catch {
            let text = String(decoding: input.prefix(400), as: UTF8.self)
            Issue.record("\(target.name), \(name): \(error)\n\(input.count) bytes: \(text)")
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    /// The target's name.
    var testDescription: String { name }
}

/// A small generator with a seed, so that a failure comes again.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value &>> 31
    }
}
