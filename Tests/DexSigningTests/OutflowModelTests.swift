import DexSigning
import Testing

@Suite("What leaves in 24 hours never exceeds the limits, whatever is signed and drawn")
struct OutflowModelTests {
    @Test("under policy.toml and its audit log", arguments: 0..<60 as Range<UInt64>)
    func policy(seed: UInt64) async throws {
        var run = try OutflowRun(seed: seed, isAgent: false)
        await run.play(steps: 48)
        run.check(seed)
    }

    @Test("at an unlocked key", arguments: 1_000..<1_040 as Range<UInt64>)
    func agent(seed: UInt64) async throws {
        var run = try OutflowRun(seed: seed, isAgent: true)
        await run.play(steps: 48)
        run.check(seed)
    }

    @Test("under policy.toml and the audit log in its file", arguments: 60..<68 as Range<UInt64>)
    func file(seed: UInt64) async throws {
        let folder = try SigningFolder()
        var run = try OutflowRun(seed: seed, isAgent: false, log: AuditFile(path: folder.log))
        await run.play(steps: 48)
        run.check(seed)
    }

    @Test("what is kept within the limits is not kept in altogether")
    func isUsable() async throws {
        var (signed, left, returned, swaps, permits) = (0, 0, 0, 0, 0)
        var (grants, open, ether) = (0, 0, 0)
        for seed in 0..<20 as Range<UInt64> {
            var run = try OutflowRun(seed: seed, isAgent: seed.isMultiple(of: 2))
            await run.play(steps: 48)
            signed += run.signed
            left += run.model.outflows.count
            returned += run.returned
            swaps += run.swaps
            permits += run.permits
            grants += run.grants
            open += run.openGrants
            ether += run.model.outflows.count { $0.coin == .ether }
        }
        #expect(signed > 100)
        #expect(left > 60)
        #expect(returned > 2)
        #expect(swaps > 2 && permits > 2)
        #expect(grants > 20 && ether > 60)
        #expect(open == 0, "no message for a contract that anyone can use")
    }
}
