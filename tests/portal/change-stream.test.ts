import { describe, expect, test } from "bun:test";
import { type Browser, firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { EventReader } from "../support/event-reader.ts";
import { eventually } from "../support/eventually.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { create, NORTH, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const cookieOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

for (const engine of ANSWERING)
  describe(`what changes is followed with a session on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser | null = null;
    const adminOf = async (): Promise<Browser> => {
      admin ??= await firstAdmin(fixture.service);
      return admin;
    };
    const dealersUser = async () => {
      const person = await makePerson(await adminOf(), { role: "dealer_admin", dealer_id: NORTH });
      return { ...person, session: await inviteAndSignIn(fixture.service.url, await adminOf(), person.id) };
    };
    const follow = async (session: Browser): Promise<EventReader> => {
      await feedHasReachedNow(engine, fixture.service.databaseUrl);
      return EventReader.open(`${fixture.service.url}/portal/api/changes/stream?after=now&kinds=vehicle`, {
        cookie: cookieOf(session),
        "x-forwarded-for": freshAddress(),
      });
    };
    const newVehicle = (dealer: number) => create(fixture.api, "/api/vehicles", vehicleBody(dealer));

    test("it begins with what changes from now on, shows the dealer's vehicles only, and ends at the sign-out", async () => {
      const { session } = await dealersUser();
      const stream = await follow(session);
      expect(await stream.next()).toMatchObject({ event: "begin", id: expect.stringMatching(/./) });
      await newVehicle(SOUTH);
      const { id } = await newVehicle(NORTH);
      expect(JSON.parse((await stream.next())?.data ?? "")).toMatchObject({ kind: "vehicle", op: "upsert", id });
      await session.send("POST", "/portal/api/sign-out");
      expect(await stream.next()).toBeNull();
    });

    testMovingClock(
      "a stream does not count as a use of the session, nor does opening it again, which the page does by itself",
      async () => {
        const { id: userId, session } = await dealersUser();
        const lastSeen = async (): Promise<string | undefined> => {
          const sql = `SELECT last_seen_at FROM sessions WHERE user_id = ${userId}`;
          return (await queryDatabase<{ last_seen_at: string }>(fixture.service.databaseUrl, sql))[0]?.last_seen_at;
        };
        const stream = await follow(session);
        expect((await stream.next())?.event).toBe("begin");
        const before = await lastSeen();
        await fixture.service.pass(600);
        await newVehicle(NORTH);
        // The session is looked up before each change is read.
        expect((await stream.next())?.event).toBe("message");
        stream.close();
        const again = await follow(session);
        expect((await again.next())?.event).toBe("begin");
        expect([before, await lastSeen()]).toEqual([expect.stringMatching(/Z$/), before]);
        again.close();
        await session.send("GET", "/portal/api/session");
        await eventually(lastSeen, (now) => now !== before);
      },
    );
  });
