import fastify from "fastify";
import { type ListQuery, listForQuery, pageOf, tagOf } from "./inventory.ts";
import { openKeyedSqlite } from "./keyed-sqlite.ts";
import type { SentVehicle } from "./vehicle.ts";

interface ById {
  readonly Params: { readonly id: string };
}
interface Listed {
  readonly Querystring: ListQuery;
}

/**
 * The measured paths as one would write them by hand with Fastify, with a check of the key. It runs on Node, which
 * strips the types. Answers have no schemas, because with schemas it was slower than with the runtime's own JSON.
 */
const { inventory, isKnown } = openKeyedSqlite(process.env.DATABASE_FILE ?? "");
const MISSING = { error: "not found" };

const app = fastify({ logger: false });
app.addHook("onRequest", (request, reply, done) => {
  const key = request.headers["x-api-key"];
  if (isKnown(typeof key === "string" ? key : undefined)) done();
  else reply.code(401).send({ error: "unauthorized" });
});
app.get<Listed>("/api/vehicles/facets", ({ query }, reply) => {
  reply.send(inventory.facets(Number(query.dealer_id)));
});
app.get<ById & Listed>("/api/vehicles/:id/history", ({ params, query }, reply) => {
  const history = inventory.history(Number(params.id), pageOf(query.limit, null));
  return history === null ? reply.code(404).send(MISSING) : reply.send(history);
});
app.get<ById>("/api/vehicles/:id", (request, reply) => {
  const vehicle = inventory.read(Number(request.params.id));
  if (vehicle === null) return reply.code(404).send(MISSING);
  const etag = tagOf(vehicle);
  reply.header("etag", etag);
  return request.headers["if-none-match"] === etag ? reply.code(304).send() : reply.send(vehicle);
});
app.get<Listed>("/api/vehicles", ({ query }, reply) => {
  reply.send(listForQuery(inventory, query));
});
app.get<ById & Listed>("/api/dealers/:id/vehicles", ({ params, query }, reply) => {
  reply.send(inventory.ofDealer(Number(params.id), pageOf(query.limit, query.offset)));
});
app.get<ById>("/api/dealers/:id/stats", ({ params }, reply) => {
  reply.send(inventory.statistics(Number(params.id)));
});
app.post<{ Body: SentVehicle }>("/api/vehicles", ({ body }, reply) => {
  reply.code(201).send(inventory.create(body));
});
app.put<ById & { Body: { readonly price: number } }>("/api/vehicles/:id", ({ params, body }, reply) => {
  const vehicle = inventory.changePrice(Number(params.id), body.price);
  return vehicle === null ? reply.code(404).send(MISSING) : reply.send(vehicle);
});

await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
