import NIOCore

extension ByteBuffer {
    /// Writes elements as a JSON array.
    mutating func writeArray<Elements: Collection>(
        _ elements: Elements,
        _ write: (inout ByteBuffer, Elements.Element) -> Void
    ) {
        writeInteger(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { writeInteger(UInt8(ascii: ",")) }
            isFirst = false
            write(&self, element)
        }
        writeInteger(UInt8(ascii: "]"))
    }

    /// Writes orders as a JSON array, from their ready bytes.
    mutating func write(_ entries: ArraySlice<OrderEntry>) {
        writeArray(entries) { buffer, entry in buffer.writeBytes(entry.body) }
    }
}
