import { Hono } from "hono";
import { listForQuery, pageOf, tagOf } from "./inventory.ts";
import { openKeyedSqlite } from "./keyed-sqlite.ts";
import type { SentVehicle } from "./vehicle.ts";

/** The measured paths as one would write them by hand with Hono, with a check of the key. */
const { inventory, isKnown } = openKeyedSqlite(process.env.DATABASE_FILE ?? "");
const MISSING = { error: "not found" };

const app = new Hono()
  .use("/api/*", async (c, next) => {
    if (!isKnown(c.req.header("x-api-key"))) return c.json({ error: "unauthorized" }, 401);
    await next();
  })
  .get("/api/vehicles/facets", (c) => c.json(inventory.facets(Number(c.req.query("dealer_id")))))
  .get("/api/vehicles/:id/history", (c) => {
    const history = inventory.history(Number(c.req.param("id")), pageOf(c.req.query("limit"), null));
    return history === null ? c.json(MISSING, 404) : c.json(history);
  })
  .get("/api/vehicles/:id", (c) => {
    const vehicle = inventory.read(Number(c.req.param("id")));
    if (vehicle === null) return c.json(MISSING, 404);
    const etag = tagOf(vehicle);
    return c.req.header("if-none-match") === etag ? c.body(null, 304, { etag }) : c.json(vehicle, 200, { etag });
  })
  .get("/api/vehicles", (c) => c.json(listForQuery(inventory, c.req.query())))
  .get("/api/dealers/:id/vehicles", (c) =>
    c.json(inventory.ofDealer(Number(c.req.param("id")), pageOf(c.req.query("limit"), c.req.query("offset")))),
  )
  .get("/api/dealers/:id/stats", (c) => c.json(inventory.statistics(Number(c.req.param("id")))))
  .post("/api/vehicles", async (c) => c.json(inventory.create(await c.req.json<SentVehicle>()), 201))
  .put("/api/vehicles/:id", async (c) => {
    const { price } = await c.req.json<{ price: number }>();
    const vehicle = inventory.changePrice(Number(c.req.param("id")), price);
    return vehicle === null ? c.json(MISSING, 404) : c.json(vehicle);
  });

Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: app.fetch });
