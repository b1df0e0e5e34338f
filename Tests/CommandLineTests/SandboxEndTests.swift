import StrictJSON
import Testing

@testable import DexCommandLine

@Suite("What is there of a sandbox the next time")
struct SandboxEndTests {
    @Test("of one in memory nothing is kept, and of one that ran before it is not known")
    func kept() throws {
        #expect(SandboxEnd(false).hint("Ctrl-C") == "Ctrl-C stops it; everything is kept.")
        #expect(SandboxEnd(true).hint("Ctrl-C") == "Ctrl-C stops it; nothing is kept.")
        #expect(SandboxEnd(nil).hint("dex sandbox down") == "dex sandbox down stops it.")
        #expect(SandboxEnd(true).report.data["kept"] == false)
        #expect(SandboxEnd(false).report.data["kept"] == true)
    }
}
