import { type Inventory, listForQuery, type MaybePromise, pageOf, tagOf, type Vehicle } from "./inventory.ts";
import type { SentVehicle } from "./vehicle.ts";

const JSON_TYPE = { headers: { "content-type": "application/json" } };
const CREATED = { status: 201, ...JSON_TYPE };
const missing = (): Response => new Response('{"error":"not found"}', { status: 404, ...JSON_TYPE });

/** Stays synchronous if possible, because a turn of the event loop would cost as much as everything else. */
const answer = <Item>(item: MaybePromise<Item>, present: (item: Item) => Response): MaybePromise<Response> =>
  item instanceof Promise ? item.then(present) : present(item);

const json = (body: unknown): Response => new Response(JSON.stringify(body), JSON_TYPE);
const created = (body: unknown): Response => new Response(JSON.stringify(body), CREATED);
const found = (body: unknown): Response => (body === null ? missing() : json(body));

/** Serves the measured paths and nothing else: without keys, limits, validation and log. */
export const serveBare = (inventory: Inventory): void => {
  const read = (id: number, known: string | null): MaybePromise<Response> =>
    answer(inventory.read(id), (vehicle: Vehicle | null) =>
      vehicle !== null && known === tagOf(vehicle) ? new Response(null, { status: 304 }) : found(vehicle),
    );

  const create = async (request: Request): Promise<Response> =>
    answer(inventory.create((await request.json()) as SentVehicle), created);

  const update = async (request: Request, id: number): Promise<Response> => {
    const { price } = (await request.json()) as { price: number };
    return answer(inventory.changePrice(id, price), found);
  };

  Bun.serve({
    hostname: "127.0.0.1",
    port: Number(process.env.PORT),
    fetch(request) {
      const { url } = request;
      const start = url.indexOf("/api/");
      const mark = url.indexOf("?", start);
      const [, , resource, id, part] = (mark === -1 ? url.slice(start) : url.slice(start, mark)).split("/");
      const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark));
      if (resource === "vehicles") {
        if (request.method === "POST") return create(request);
        if (id === undefined) return answer(listForQuery(inventory, Object.fromEntries(query)), json);
        if (id === "facets") return answer(inventory.facets(Number(query.get("dealer_id"))), json);
        if (part === "history") return answer(inventory.history(Number(id), pageOf(query.get("limit"), null)), found);
        if (request.method === "PUT") return update(request, Number(id));
        return read(Number(id), request.headers.get("if-none-match"));
      }
      if (resource !== "dealers") return missing();
      if (part === "stats") return answer(inventory.statistics(Number(id)), json);
      return answer(inventory.ofDealer(Number(id), pageOf(query.get("limit"), query.get("offset"))), json);
    },
  });
};
