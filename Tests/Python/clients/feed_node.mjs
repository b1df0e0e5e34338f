// Node's own WebSocket on a relay of API v4: `feed_node.mjs WS-URL BASE QUOTE`. Prints a line for
// each thing that it saw.
const [url, base, quote] = process.argv.slice(2);
const socket = new WebSocket(url);
const say = (text) => process.stdout.write(`${text}\n`);

socket.onopen = () => {
  say("open");
  const payload = { makerToken: base, takerToken: quote, snapshot: true };
  socket.send(JSON.stringify({
    type: "subscribe", channel: "orders", requestId: "node", payload,
  }));
};
socket.onmessage = (event) => {
  const message = JSON.parse(event.data);
  if (message.type === undefined) {
    say(`error ${message.code}`);
    return;
  }
  say(`${message.type} ${message.requestId} ${message.payload.length}`);
  socket.send("nonsense");
};
socket.onclose = (event) => say(`close ${event.code} ${event.wasClean}`);
