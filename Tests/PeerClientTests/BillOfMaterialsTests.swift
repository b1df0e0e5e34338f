import Testing

/// CycloneDX's own library on what `make deb` says about the contents of a package.
@Suite("The bill of materials by CycloneDX's library and ours")
struct BillOfMaterialsTests {
    @Test("it is valid, the same each time, and names what is linked and loaded")
    func agreement() async throws {
        try await PeerReport("bill_of_materials.py")
            .expectAgreement(checks: 4, comparisons: 45)
    }
}
