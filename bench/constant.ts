// The measure of all ratios: a server that answers every request with the same short text.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response('{"constant":true}', { headers: { "content-type": "application/json" } }),
});
console.log(server.url.href.replace(/\/$/, ""));
