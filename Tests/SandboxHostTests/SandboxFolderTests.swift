import Testing

@testable import SandboxHost

@Suite struct SandboxFolderTests {
    @Test("a folder that is not there is not in use and has no state")
    func absent() throws {
        let folder = SandboxFolder("/nonexistent/dex/sandbox")
        #expect(!folder.isInUse)
        #expect(try SandboxState.read(folder) == nil)
    }
}
