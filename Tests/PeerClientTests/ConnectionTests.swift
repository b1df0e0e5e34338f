import Testing

/// How `dex` reaches servers, with an HTTPS server and certificates of other people's making.
@Suite("Connections to servers that others wrote")
struct ConnectionTests {
    @Test("TLS, HTTP/2, compression, certificates and proxies are as the environment wants them")
    func secure() async throws {
        let report = try await PeerReport("secure.py", PeerReport.dex)
        report.expectAgreement(checks: 8, comparisons: 65)
    }
}
