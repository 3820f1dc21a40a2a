/** The base of delivery: files of a folder by their paths, by the runtime's own sending and nothing else. */
const folder = process.env.FOLDER ?? "";

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  fetch: (request) => new Response(Bun.file(folder + new URL(request.url).pathname)),
});
