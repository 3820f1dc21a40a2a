import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, imageBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** A dealer with its key, and the expected view: only its own changes, whatever others do. */
interface Side {
  readonly dealer: number;
  readonly key: string;
  readonly vehicles: Map<number, { year: number; price: number; images: number[] }>;
  phone: string;
}

// The acting side, the owner of the vehicle, and the vehicle.
const step = fc.record({
  actor: fc.nat(1),
  whose: fc.nat(1),
  place: fc.nat(4),
  number: fc.integer({ min: 1, max: 99 }),
  kind: fc.constantFrom(
    "create",
    "create",
    "create",
    "change",
    "take",
    "delete",
    "add image",
    "remove image",
    "phone",
    "look",
  ),
});
const sequences = fc.array(step, { minLength: 5, maxLength: 40, size: "max" });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

for (const engine of ENGINES)
  describe(`the isolation of dealers on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const newSide = async (): Promise<Side> => {
      const dealer = (await create(fixture.api, "/api/dealers", dealerBody({ phone: "0" }))).id;
      const key = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: dealer, permissions: EVERY_PAIR }),
      );
      return { dealer, key: key.api_key, vehicles: new Map(), phone: "0" };
    };

    /** Runs one step and updates the model of the actor's side; a refused step must change no model. */
    const take = async (sides: readonly [Side, Side], { actor, whose, place, number, kind }: Step): Promise<void> => {
      const [me, owner] = [sides[actor] as Side, sides[whose] as Side];
      const send = <Body>(method: string, path: string, body?: object) =>
        fixture.api<Body>(method, path, { key: me.key, body });
      const id = [...owner.vehicles.keys()][place] ?? 999_999_999;
      const model = me.vehicles.get(id);
      const allowed = model !== undefined;
      const at = `/api/vehicles/${id}`;
      const expectStatus = (status: number, success: number): void => {
        const refused = owner.vehicles.has(id) ? 403 : 404;
        expect([kind, status]).toEqual([kind, allowed ? success : refused]);
      };

      switch (kind) {
        case "create": {
          const body = vehicleBody(owner.dealer, { year: 1900 + number, price: number });
          const created = await send<Vehicle>("POST", "/api/vehicles", body);
          expect([created.status, created.body.dealer_id]).toEqual([201, me.dealer]);
          me.vehicles.set(created.body.id, { year: 1900 + number, price: number, images: [] });
          return;
        }
        case "change":
          expectStatus((await send("PUT", at, { price: number })).status, 200);
          if (model !== undefined) model.price = number;
          return;
        case "take":
          expectStatus((await send("PUT", at, { dealer_id: me.dealer, year: 1900 + number })).status, 200);
          if (model !== undefined) model.year = 1900 + number;
          return;
        case "delete":
          expectStatus((await send("DELETE", at)).status, 200);
          me.vehicles.delete(id);
          return;
        case "add image": {
          const added = await send<{ id: number }>("POST", `${at}/images`, imageBody());
          expectStatus(added.status, 201);
          model?.images.push(added.body.id);
          return;
        }
        case "remove image": {
          const image = owner.vehicles.get(id)?.images[0];
          if (image === undefined) return;
          expectStatus((await send("DELETE", `${at}/images/${image}`)).status, 200);
          model?.images.shift();
          return;
        }
        case "phone": {
          const { status } = await send("PUT", `/api/dealers/${owner.dealer}`, { phone: String(number) });
          expect(status).toBe(me === owner ? 200 : 403);
          if (me === owner) me.phone = String(number);
          return;
        }
        case "look":
          expectStatus((await send("GET", at)).status, 200);
      }
    };

    /** Expects a side's key to see exactly its model. */
    const expectModel = async ({ dealer, key, vehicles, phone }: Side): Promise<void> => {
      const read = async <Body>(path: string) => (await fixture.api<Body>("GET", path, { key })).body;
      const seen = (await read<{ vehicles: Vehicle[] }>("/api/vehicles?limit=1000")).vehicles;
      expect(new Map(seen.map(({ id, year, price }) => [id, { year, price }]))).toEqual(
        new Map([...vehicles].map(([id, { year, price }]) => [id, { year, price }])),
      );
      expect(new Set(seen.map(({ dealer_id }) => dealer_id)).size).toBe(vehicles.size === 0 ? 0 : 1);
      for (const [id, { images }] of vehicles) {
        const listed = await read<{ id: number }[]>(`/api/vehicles/${id}/images`);
        expect(listed.map((image) => image.id)).toEqual(images);
      }
      const prices = [...vehicles.values()].map(({ price }) => price);
      expect(await read<object>(`/api/dealers/${dealer}/stats`)).toMatchObject({
        total_vehicles: vehicles.size,
        inventory_value: prices.reduce((sum, price) => sum + price, 0),
      });
      const dealers = await read<{ id: number; phone: string }[]>("/api/dealers");
      expect(dealers.map((one) => [one.id, one.phone])).toEqual([[dealer, phone]]);
    };

    test("lets each dealer's key see only its own changes, whatever the other does", async () => {
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const sides = [await newSide(), await newSide()] as const;
          for (const one of steps) await take([sides[0], sides[1]], one);
          for (const side of sides) await expectModel(side);
        }),
        { numRuns: inGate(8, 30) },
      );
    });

    test("lets each dealer's key see only its own changes, even if both act at the same time", async () => {
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const sides = [await newSide(), await newSide()] as const;
          // Each side runs its steps in order on its own vehicles, both at the same time.
          const alone = (actor: 0 | 1) =>
            steps.filter((one) => one.actor === actor).map((one) => ({ ...one, whose: actor }));
          await Promise.all(
            ([0, 1] as const).map(async (actor) => {
              for (const one of alone(actor)) await take([sides[0], sides[1]], one);
            }),
          );
          for (const side of sides) await expectModel(side);
        }),
        { numRuns: inGate(4, 15) },
      );
    });

    test("never lets the former dealer see or change a vehicle that moves meanwhile", async () => {
      const [one, other] = [await newSide(), await newSide()];
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(one.dealer));
      const give = (dealer: number) => fixture.api("PUT", `/api/vehicles/${id}`, { body: { dealer_id: dealer } });
      const outcomes = await Promise.all(
        Array.from({ length: 120 }, async (_, number) => {
          if (number % 3 === 0) return give(number % 2 === 0 ? one.dealer : other.dealer);
          const side = number % 3 === 1 ? one : other;
          const reply = await fixture.api<Vehicle>("PUT", `/api/vehicles/${id}`, {
            key: side.key,
            body: { mileage: number },
          });
          expect([200, 403]).toContain(reply.status);
          if (reply.status === 200) expect(reply.body.dealer_id).toBe(side.dealer);
          return reply;
        }),
      );
      expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(40);
    });
  });
