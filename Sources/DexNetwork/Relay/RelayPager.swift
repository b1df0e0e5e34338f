import ZeroEx

/// One page of a list, as far as the pager looks into it.
protocol RelayPage: Sendable {
    /// What tells one element from another.
    associatedtype Key: Hashable & Sendable

    /// How many elements each list of the page has: one for orders, two for a book.
    var counts: [Int] { get }
    /// Its elements' keys, by which a page that was there before is found out.
    var keys: [Key] { get }
    /// Elements that have no key, since they cannot be read.
    var keyless: Int { get }
    /// How many elements each list has on all pages together, where the relay tells.
    var totals: [Int?] { get }
    /// What the Link header says, where there is one.
    var links: RelayLinks? { get }
    /// How many requests the relay still grants us, where it tells.
    var remainingRequests: Int? { get }
}

/// Reads all pages of a list, several at once: the first tells how many there are, or else the next
/// ones are asked for on the chance that they are there.
struct RelayPager: Sendable {
    /// Elements asked for on a page; a page with fewer is the last where the relay tells no total.
    let perPage: Int
    /// A list that goes on behind so many pages is not believed to end.
    static let mostPages = 1000
    /// The most requests at once, on the chance that the pages are there.
    static let mostAtOnce = 16
    /// The most requests at once for pages that are there: a long book is two round trips.
    static let mostKnownAtOnce = 128
    /// Pages with entries of which none can be read; with so many the relay is not believed.
    static let mostUnreadablePages = 10

    /// All pages in order, the last one included.
    ///
    /// - Parameter load: gets a page by its number, from 1; nil where there is no such page.
    /// - Throws: `RelayError`: of the first page in order that could not be had.
    func pages<Page: RelayPage>(
        _ load: @escaping @Sendable (Int) async throws(RelayError) -> Page?
    ) async throws(RelayError) -> [Page] {
        let outcome = await withTaskGroup(
            of: (number: Int, result: Result<Page?, RelayError>).self,
            returning: Result<[Page], RelayError>.self
        ) { group in
            var state = State<Page>(perPage: perPage)
            while true {
                while let number = state.nextToAsk() {
                    group.addTask {
                        (
                            number,
                            await Self.attempt { () async throws(RelayError) in
                                try await load(number)
                            }
                        )
                    }
                }
                guard let (number, result) = await group.next() else {
                    return .failure(
                        .nonsense("the list does not end after \(Self.mostPages) pages")
                    )
                }
                if let end = state.take(number, result) {
                    group.cancelAll()
                    return end
                }
            }
        }
        return try outcome.get()
    }

    private static func attempt<Value>(
        _ work: () async throws(RelayError) -> Value
    ) async -> Result<Value, RelayError> {
        do throws(RelayError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    /// What is known so far: a pure state machine.
    private struct State<Page: RelayPage> {
        private let perPage: Int
        private var pages: [Page] = []
        /// Came before a page in front of them.
        private var waiting: [Int: Result<Page?, RelayError>] = [:]
        private var asked = 0
        private var atOnce = 1
        /// The last page, as far as the relay said.
        private var last: Int?
        private var seen: Set<Page.Key> = []
        /// Elements of each list.
        private var received: [Int] = []
        /// Pages that brought entries and nothing new that can be read.
        private var unreadablePages = 0

        init(perPage: Int) {
            self.perPage = perPage
        }

        /// The number of a page to ask for now.
        mutating func nextToAsk() -> Int? {
            let next = asked + 1
            guard next <= RelayPager.mostPages, next <= pages.count + atOnce else { return nil }
            // Behind the last page there may be another only once that one says so.
            if let last, next > last, pages.count < last { return nil }
            asked = next
            return next
        }

        /// Takes a page in; the outcome once the last page is there or one is missing.
        mutating func take(
            _ number: Int,
            _ result: Result<Page?, RelayError>
        ) -> Result<[Page], RelayError>? {
            waiting[number] = result
            while let next = waiting.removeValue(forKey: pages.count + 1) {
                switch next {
                case .failure(let error): return .failure(error)
                // No such page: the one before it was the last.
                case .success(nil): return .success(pages)
                case .success(let page?):
                    let isLast: Bool
                    do throws(RelayError) {
                        isLast = try self.isLast(page)
                    } catch {
                        return .failure(error)
                    }
                    pages.append(page)
                    if isLast { return .success(pages) }
                    adapt(to: page)
                }
            }
            return nil
        }

        /// - Throws: `RelayError.nonsense` where too many pages have nothing that can be read.
        private mutating func isLast(_ page: Page) throws(RelayError) -> Bool {
            for (list, count) in page.counts.enumerated() {
                if list == received.count { received.append(0) }
                received[list] += count
            }
            let before = seen.count
            seen.formUnion(page.keys)
            // Empty, or the same again: a relay that does not know pages.
            if page.counts.allSatisfy({ $0 == 0 }) || seen.count == before && page.keyless == 0 {
                return true
            }
            // Nor do entries that cannot be read bring the list any further.
            if seen.count == before {
                unreadablePages += 1
                guard unreadablePages < RelayPager.mostUnreadablePages else {
                    throw .nonsense(
                        "\(unreadablePages) of its pages have no entry that can be read"
                    )
                }
            }
            if let links = page.links { return !links.hasNext }
            return zip(page.counts, page.totals).enumerated().allSatisfy { list, told in
                let (count, total) = told
                return total.map { received[list] >= $0 } ?? (count < perPage)
            }
        }

        private mutating func adapt(to page: Page) {
            if let last = page.links?.last, last > pages.count {
                self.last = last
            } else if pages.count == 1 {
                last = zip(page.counts, page.totals).compactMap { count, total in
                    total.flatMap { count > 0 && $0 > count ? ($0 - 1) / count + 1 : nil }
                }.max()
            }
            let isEndKnown = last.map { $0 > pages.count } ?? false
            atOnce =
                isEndKnown
                ? RelayPager.mostKnownAtOnce : min(RelayPager.mostAtOnce, atOnce * 4)
            if let remaining = page.remainingRequests { atOnce = min(atOnce, max(1, remaining)) }
        }
    }
}
