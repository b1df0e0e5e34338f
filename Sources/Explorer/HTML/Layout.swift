import DexResources
package import HTTPServing

/// Lays a page out as one document that loads nothing from elsewhere.
package struct Layout: Sendable {
    /// The name of the explorer, such as `dex sandbox`.
    let name: String
    /// What is said at the end of each page, such as that the chain is simulated.
    let note: String

    private static let style = String(decoding: DexResources.explorerStyle, as: UTF8.self)
    private static let script = String(decoding: DexResources.explorerScript, as: UTF8.self)

    /// Its own style and script alone are used, known by their hashes; forms lead to itself.
    package static let policy = PagePolicy(
        styles: [style],
        scripts: [script],
        formAction: "'self'",
        trustedTypes: "explorer"
    )

    /// The document of a page.
    ///
    /// - Parameters:
    ///   - head: the hash of the latest block that the page was made of; nil if unknown.
    ///   - query: what stands in the search field.
    func document(_ page: Page, head: String?, query: String = "") -> String {
        let document: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="robots" content="noindex">
            <title>\(page.title) – \(name)</title>
            <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='1' y='1' width='6' height='6' fill='%231a7f5a'/%3E%3Crect x='9' y='1' width='6' height='6' fill='%23808890'/%3E%3Crect x='1' y='9' width='6' height='6' fill='%23808890'/%3E%3Crect x='9' y='9' width='6' height='6' fill='%23c2413a'/%3E%3C/svg%3E">
            \(Self.element("style", Self.style))
            </head>
            <body data-live="\(page.liveness.rawValue)" data-head="\(head ?? "")">
            <a class="skip" href="#main">Skip to the content</a>
            <header>
            <a class="home" href="/">\(name)</a>
            <form action="/search" method="get" role="search">
            <input type="search" name="q" value="\(query)" maxlength="100" required placeholder="Block, hash, address, name or pair" aria-label="Search" autocomplete="off" spellcheck="false">
            <button type="submit">Search</button>
            </form>
            <span id="status" class="badge" role="status" hidden></span>
            </header>
            <main id="main">
            \(page.body)
            </main>
            <footer>\(note)</footer>
            \(Self.element("script", Self.script))
            </body>
            </html>

            """
        return document.text
    }

    /// One of our own files as an element.
    private static func element(_ name: String, _ content: String) -> HTML {
        HTML(own: "<\(name)>\(content)</\(name)>")
    }
}
