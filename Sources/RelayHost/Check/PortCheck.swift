import DexCore
import Glibc

/// Whether an address and port are free to listen at.
enum PortCheck {
    /// Why the relay could not listen there; nil if it could.
    static func problem(_ listen: ListenAddress) -> Int32? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(listen.host, String(listen.port), &hints, &found) == 0,
            let place = found?.pointee
        else { return EADDRNOTAVAIL }
        defer { freeaddrinfo(found) }
        let descriptor = socket(place.ai_family, place.ai_socktype, place.ai_protocol)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var reuse: Int32 = 1
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_REUSEADDR,
            &reuse,
            socklen_t(MemoryLayout<Int32>.size)
        )
        guard bind(descriptor, place.ai_addr, place.ai_addrlen) == 0 else { return errno }
        return Glibc.listen(descriptor, 1) == 0 ? nil : errno
    }
}
