import { beforeAll, describe, expect, test } from "bun:test";
import { inGate } from "../support/depth.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { readOn, unread } from "../support/paused-reader.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  imageBody,
  keyBody,
  NORTH,
  NORTH_CAR,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { sourcesTest } from "../support/sources-test.ts";

/** Each character takes one byte in the database and six in the answer. */
const LONG_TEXT = "\u0001".repeat(20_000);
/** More than fits the buffers between the service and a client that does not read. */
const MANY = 100;
const FEW = 16;
const longAddress = (place: number): string => `https://images.example.com/${place}/${"\u0001".repeat(2000)}`;

const LONG_PAGE = `/api/vehicles?limit=${MANY}`;

for (const engine of ANSWERING)
  describe(`long answers on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    beforeAll(async () => {
      const { api } = fixture;
      for (let made = 1; made < MANY; made++)
        await create(api, "/api/vehicles", vehicleBody(NORTH, { description: LONG_TEXT }));
      for (let made = 0; made < FEW; made++) {
        await create(api, "/api/dealers", dealerBody({ description: LONG_TEXT, city: "Longview" }));
        await create(api, "/api/keys", keyBody({ description: LONG_TEXT, dealer_id: NORTH }));
      }
      for (let made = 0; made < MANY; made++)
        await create(api, `/api/vehicles/${NORTH_CAR}/images`, imageBody({ image_url: longAddress(made) }));
    });

    /** The items of a page. */
    const itemsOf = (body: unknown): unknown[] =>
      Array.isArray(body) ? body : (body as { vehicles: unknown[] }).vehicles;

    for (const [name, path, long, short] of [
      ["vehicles", "/api/vehicles?status=available", inGate(21, MANY + 1), 7],
      ["a dealer's inventory, by price", `/api/dealers/${NORTH}/vehicles?min_price=1`, inGate(21, MANY), 7],
      ["images", `/api/vehicles/${NORTH_CAR}/images?`, 100, 20],
      ["dealers", "/api/dealers?city=longview", FEW, 4],
      ["keys", `/api/keys?dealer_id=${NORTH}&sort=name`, 20, 4],
      ["the audit log", "/api/audit?via=api", 200, 50],
    ] as const)
      test(`have for a long list of ${name} the same items as short pages`, async () => {
        const whole = await fixture.api("GET", `${path}&limit=${long}`);
        expect([whole.status, whole.text.length > 1024 * 1024]).toEqual([200, true]);
        const parts: unknown[] = [];
        for (let offset = 0; offset < long; offset += short) {
          const part = await fixture.api("GET", `${path}&limit=${short}&offset=${offset}`);
          expect(part.text.length).toBeLessThan(1.1 * 1024 * 1024);
          parts.push(...itemsOf(part.body));
          expect(part.headers.get("x-total-count")).toBe(whole.headers.get("x-total-count"));
        }
        expect(itemsOf(whole.body)).toEqual(parts.slice(0, long));
      });

    test("continue with the cursor of their page", async () => {
      const first = await fixture.api<{ meta: { next_cursor: string } }>("GET", "/api/vehicles?limit=60");
      const next = await fixture.api("GET", `/api/vehicles?limit=60&cursor=${first.body.meta.next_cursor}`);
      const whole = await fixture.api("GET", "/api/vehicles?limit=101");
      expect([...itemsOf(first.body), ...itemsOf(next.body)]).toEqual(itemsOf(whole.body));
    });

    sourcesTest("of a dealer's key have nothing of another dealer", async () => {
      const page = await fixture.as<{ vehicles: { dealer_id: number }[] }>("north", { method: "GET", path: LONG_PAGE });
      expect(page.body.vehicles).toHaveLength(MANY);
      expect(new Set(page.body.vehicles.map(({ dealer_id }) => dealer_id))).toEqual(new Set([NORTH]));
      expect(page.text).not.toContain(`"dealer_id":${SOUTH}`);
    });

    sourcesTest("are broken off when their key is revoked or loses the permission", async () => {
      const permissions = pairs("vehicles:read");
      const endings = [
        ["POST", "/revoke"],
        ["DELETE", "/permissions/vehicles/read"],
        ["DELETE", ""],
      ] as const;
      const isCutShort = async ([method, path]: (typeof endings)[number]): Promise<void> => {
        const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: NORTH, permissions }));
        const answer = await unread(fixture.service.url, LONG_PAGE, key.api_key);
        expect((await fixture.api(method, `/api/keys/${key.id}${path}`)).status).toBe(200);
        const text = await readOn(answer);
        expect(text).toStartWith("HTTP/1.1 200");
        expect(text).not.toContain("]}\r\n");
      };
      await Promise.all(endings.map(isCutShort));
      const noted = (): string[] => {
        const lines = fixture.service.log().split("\n");
        return lines.filter((line) => line.includes("lost the right")).map((line) => JSON.parse(line).level);
      };
      // The compiled program writes its log a moment later.
      const levels = await eventually(noted, ({ length }) => length === endings.length);
      expect(levels).toEqual(["info", "info", "info"]);
    });

    sourcesTest("wait for the previous one of the same key, but not other keys' answers or short ones", async () => {
      const { keys } = fixture.records;
      const { socket } = await unread(fixture.service.url, LONG_PAGE, keys.north.api_key);
      try {
        const refused = await fixture.as("north", { method: "GET", path: LONG_PAGE });
        expect(refused.status).toBe(503);
        expect(refused.body).toMatchObject({ code: "unavailable" });
        expect(refused.headers.get("retry-after")).toBe("1");
        expect(refused.text).not.toContain("\\u0001");
        const head = await fixture.as("north", { method: "HEAD", path: LONG_PAGE });
        expect([head.status, head.text, head.headers.get("x-total-count")]).toEqual([200, "", String(MANY)]);
        expect((await fixture.as("north", { method: "GET", path: "/api/vehicles?limit=5" })).status).toBe(200);
        expect((await fixture.as("super-admin", { method: "GET", path: LONG_PAGE })).status).toBe(200);
      } finally {
        socket.destroy();
      }
      const answered = await eventually(
        () => fixture.as("north", { method: "GET", path: LONG_PAGE }),
        ({ status }) => status === 200,
      );
      expect(itemsOf(answered.body)).toHaveLength(MANY);
    });
  });
