import Foundation

/// A call that the kernel refused a test's socket, and its reason: a failed run says which.
package struct SocketFailure: Error, CustomStringConvertible {
    /// What was called, with the port.
    let call: String
    /// errno(3).
    let code: CInt

    /// - Parameter code: errno as the call left it.
    init(_ call: String, code: CInt = errno) {
        (self.call, self.code) = (call, code)
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code))) (\(code))"
    }
}
