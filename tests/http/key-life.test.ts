import { describe, expect } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, keyBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const DAY_SECONDS = 86_400;

for (const engine of ANSWERING)
  describe(`keys that nobody uses on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { IDLE_KEY_DAYS: "30" });
    const keyOf = async (id: number) => (await fixture.api<PresentedKey>("GET", `/api/keys/${id}`)).body;
    const change = (id: number, body: object) => fixture.api("PUT", `/api/keys/${id}`, { body });
    const afterDays = (id: number, days: number, isAwaited: (key: PresentedKey) => boolean) =>
      fixture.service.runTimers(days * DAY_SECONDS).then(() => eventually(() => keyOf(id), isAwaited));

    testMovingClock("are switched off, say so until they are active again, and then work", async () => {
      const { id, api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody());
      const read = () => fixture.api("GET", "/api/vehicles?limit=1", { key });
      expect((await afterDays(id, 16, () => true)).active).toBe(true);
      expectReply(await read(), { status: 200 });
      await afterDays(id, 31, () => true);
      expect(await afterDays(id, 14, ({ active }) => !active)).toMatchObject({ disabled_reason: "idle" });
      expectReply(await read(), { status: 401 });
      await change(id, { name: "Still idle" });
      expect(await keyOf(id)).toMatchObject({ active: false, disabled_reason: "idle" });
      await change(id, { active: true });
      expect(await keyOf(id)).toMatchObject({ active: true, disabled_reason: null });
      expectReply(await read(), { status: 200 });
      await change(id, { active: false });
      expect(await keyOf(id)).toMatchObject({ active: false, disabled_reason: null });
      expect(fixture.service.log()).toContain("a key was switched off because it was not used");
    });
  });
