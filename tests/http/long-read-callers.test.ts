import { describe, expect, test } from "bun:test";
import { systemClock as clock } from "../../adapters/system/clock.ts";
import { makeDeadlines } from "../../adapters/system/deadlines.ts";
import { coreOn, routesOf } from "../support/core.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { NORTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { routerOn } from "./router.ts";

for (const engine of ANSWERING)
  describe(`the caller of long reads on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("is named by the dealer of a bound key and then by the key, so that all keys of a dealer share one turn", async () => {
      const db = connect(fixture.service.databaseUrl);
      const core = coreOn(db, clock);
      const routes = routesOf(core);
      const real = makeDeadlines(60_000, clock);
      const made: { readonly caller: string }[] = [];
      const deadlines: typeof real = {
        ...real,
        run(deadline, work) {
          made.push(deadline);
          return real.run(deadline, work);
        },
      };
      const app = routerOn({ core, clock, routes, deadlines });
      const { north, "super-admin": all } = fixture.records.keys;
      for (const { api_key: key } of [north, all])
        expect(
          (await app.fetch(new Request("http://localhost/api/vehicles", { headers: { "x-api-key": key } }))).status,
        ).toBe(200);
      expect(made.map(({ caller }) => caller)).toEqual([`dealer:${NORTH} key:${north.id}`, `key:${all.id}`]);
      await db.close();
    });
  });
