// Keeps an open page up to date: asks for the latest block's hash, and takes the page's content
// anew when that changes. Without this script the page is what it was when it was loaded.
"use strict";
(() => {
  const body = document.body;
  const main = document.getElementById("main");
  const status = document.getElementById("status");
  const pause = 2000;
  // An order on a relay makes no block.
  const bookPause = 6000;
  // The page comes from this very server, which escapes every text from outside.
  const policy = globalThis.trustedTypes
    ? trustedTypes.createPolicy("explorer", { createHTML: (text) => text })
    : { createHTML: (text) => text };

  const show = (state, text) => {
    status.hidden = false;
    status.dataset.state = state;
    status.textContent = text;
  };

  const span = (seconds) => {
    const units = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]];
    const first = units.findIndex(([size]) => seconds >= size);
    if (first < 0) return "0 s";
    const [large, name] = units[first];
    let text = `${Math.floor(seconds / large)} ${name}`;
    if (first + 1 < units.length) {
      const [small, lower] = units[first + 1];
      const rest = Math.floor((seconds % large) / small);
      if (rest > 0) text += ` ${rest} ${lower}`;
    }
    return text;
  };

  // Times of a chain may be ahead of this machine's clock.
  const tellAges = () => {
    const now = Math.floor(Date.now() / 1000);
    for (const time of document.querySelectorAll("time[data-seconds]")) {
      const seconds = Number(time.dataset.seconds);
      const text = seconds > now ? `in ${span(seconds - now)}` : `${span(now - seconds)} ago`;
      if (time.textContent !== text) time.textContent = text;
    }
  };

  const get = async (path) => {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(15000) });
    return answer;
  };

  const refresh = async () => {
    const answer = await get(location.pathname + location.search);
    const text = await answer.text();
    if (!(answer.headers.get("content-type") ?? "").startsWith("text/html")) return;
    const fresh = new DOMParser().parseFromString(policy.createHTML(text), "text/html");
    const content = fresh.getElementById("main");
    if (!content) return;
    body.dataset.head = fresh.body.dataset.head ?? "";
    if (content.innerHTML !== main.innerHTML) {
      const open = main.querySelector("details")?.open ?? false;
      main.replaceChildren(...content.childNodes);
      const details = main.querySelector("details");
      if (details) details.open = open;
    }
    tellAges();
  };

  let lastRefresh = Date.now();
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await get("/head");
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const head = (await answer.text()).trim();
      const isOld = body.dataset.live === "book" && Date.now() - lastRefresh >= bookPause;
      if (head !== body.dataset.head || isOld) {
        lastRefresh = Date.now();
        await refresh();
      }
      show("live", "live");
    } catch {
      show("down", "the node does not answer");
    }
  };

  setInterval(tellAges, 1000);
  if (body.dataset.live !== "fixed") {
    const loop = async () => {
      await look();
      setTimeout(loop, pause);
    };
    loop();
    document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  }
})();
