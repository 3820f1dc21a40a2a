import { describe, expect, spyOn, test } from "bun:test";
import {
  browserOn,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { rawExchange, rawHead } from "../support/raw.ts";
import { CAN_ADVANCE_CLOCK as IS_HERE, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** How many passwords are hashed at once, and how many may wait for their turn. */
const HASHED_AT_ONCE = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2));
const HASHES_WAITING = 40;
const WRONG = "wrong horse battery staple";

for (const engine of ANSWERING)
  describe(`requests without a key on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const get = (path: string, address: string, method = "GET") =>
      fetch(fixture.service.url + path, { method, headers: { "x-forwarded-for": address } });
    /** Sends this many requests at once and counts the statuses. */
    const counted = async (count: number, send: () => Promise<{ status: number }>) => {
      const replies = await Promise.all(Array.from({ length: count }, send));
      return Object.fromEntries(
        [...Map.groupBy(replies, ({ status }) => status)].map(([status, some]) => [status, some.length]),
      );
    };

    // Counts calls in the test process, because measured times would depend on the machine.
    test.if(IS_HERE)("hash at most thirty of 120 passwords that one address sends at once", async () => {
      const compared = spyOn(Bun.password, "verify");
      const made = spyOn(Bun.password, "hash");
      try {
        const address = freshAddress();
        let number = 0;
        const statuses = await counted(120, () =>
          signIn(browserOn(fixture.service.url, address), `somebody${number++}@example.com`, WRONG),
        );
        expect(statuses).toEqual({ 401: 30, 429: 90 });
        expect(compared.mock.calls.length + made.mock.calls.length).toBeLessThanOrEqual(30);
      } finally {
        compared.mockRestore();
        made.mockRestore();
      }
    });

    test.if(IS_HERE)(
      "hashes few passwords at a time, whoever sent them, and refuses more than a few that wait",
      async () => {
        let underWay = 0;
        let most = 0;
        const verify = Bun.password.verify;
        const allRefused = Promise.withResolvers<void>();
        // Nothing is hashed until the requests beyond the queue are refused, so the speed of hashing does not matter.
        const watched = spyOn(Bun.password, "verify").mockImplementation(async (...given) => {
          most = Math.max(most, ++underWay);
          if (most <= HASHED_AT_ONCE) await allRefused.promise;
          const answer = await verify(...given);
          underWay--;
          return answer;
        });
        try {
          const taken = HASHED_AT_ONCE + HASHES_WAITING;
          let number = 0;
          let refused = 0;
          const statuses = await counted(150, async () => {
            const address = `anybody${number++}@example.com`;
            const reply = await signIn(browserOn(fixture.service.url, freshAddress()), address, WRONG);
            if (reply.status === 503 && ++refused === 150 - taken) allRefused.resolve();
            return reply;
          });
          expect(most).toBe(HASHED_AT_ONCE);
          expect(statuses).toEqual({ 401: taken, 503: 150 - taken });
        } finally {
          watched.mockRestore();
        }
      },
    );

    testMovingClock("are refused with 429 before the body has arrived", async () => {
      const address = freshAddress();
      await counted(30, () => signIn(browserOn(fixture.service.url, address), "nobody@example.com", WRONG));
      const headers = ["Origin: http://localhost", `X-Forwarded-For: ${address}`, "Content-Length: 1000"];
      const answer = await rawExchange(fixture.service.url, rawHead("POST /portal/api/sign-in", ...headers));
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("retry-after"))).toBeWithin(1, 121);
    });

    for (const [what, path, limit] of [
      ["the portal's page", "/portal", 600],
      ["the portal's assets", "/portal/assets/none.js", 3000],
      ["the documentation", "/docs", 600],
      ["the OpenAPI document", "/openapi.json", 600],
    ] as const)
      testMovingClock(
        `${what}: ${limit} a minute from an address, then 429; other addresses are still served`,
        async () => {
          const address = freshAddress();
          const statuses = await counted(limit + 10, () => get(path, address, "HEAD"));
          expect(statuses[429]).toBe(10);
          const refused = await get(path, address);
          expect([refused.status, await refused.json()]).toEqual([
            429,
            expect.objectContaining({ code: "rate_limit_exceeded" }),
          ]);
          expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 121);
          expect((await get(path, freshAddress())).status).not.toBe(429);
          for (const health of ["/health/live", "/health/ready"]) expect((await get(health, address)).status).toBe(200);
        },
      );

    testMovingClock("invitations: 60 requests a minute from an address, then 429 before any look-up", async () => {
      const address = freshAddress();
      const path = invitationPath("x".repeat(43));
      const one = browserOn(fixture.service.url, address);
      expect(await counted(70, () => one.send("GET", path))).toEqual({ 404: 60, 429: 10 });
      expect((await one.send("POST", path, { body: { password: PASSWORD } })).status).toBe(429);
    });

    testMovingClock("codes of the second factor: 30 a minute from an address", async () => {
      const one = browserOn(fixture.service.url, freshAddress());
      const prove = () => one.send("POST", "/portal/api/sign-in/second-factor", { body: { code: "123456" } });
      expect(await counted(40, prove)).toEqual({ 401: 30, 429: 10 });
    });

    testMovingClock(
      "hashing for signed-in users: 20 requests a minute from a user; the rest of the portal still works",
      async () => {
        const admin = await firstAdmin(fixture.service);
        const { id } = await makePerson(admin);
        const own = await inviteAndSignIn(fixture.service.url, admin, id);
        const renew = () =>
          own.send("POST", "/portal/api/second-factor/recovery-codes", { body: { password: PASSWORD } });
        // On a busy machine some of the 20 wait for their turn until their time is up, which is a 503.
        const { 400: hashed = 0, 503: late = 0, ...others } = await counted(25, renew);
        expect([hashed + late, others]).toEqual([20, { 429: 5 }]);
        expect(hashed).toBeGreaterThan(0);
        expect((await own.send("GET", "/portal/api/session")).status).toBe(200);
      },
    );
  });

test("X-Forwarded-For without a trusted proxy is logged once", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const service = await startService(engine, { TRUSTED_PROXY_HOPS: "0" });
  try {
    for (let count = 0; count < 5; count++)
      for (const path of ["/portal", "/portal/api/session", "/api/vehicles"])
        await fetch(service.url + path, { headers: { "x-forwarded-for": "203.0.113.9" } });
    const told = (): number => service.log().split("requests carry X-Forwarded-For").length - 1;
    // A program writes its log a moment later.
    expect(await eventually(told, (times) => times > 0)).toBe(1);
    expect(service.log()).not.toContain("203.0.113.9");
  } finally {
    await service.close();
  }
});

test("X-Forwarded-For is not logged if a proxy is trusted, or the header is missing", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const trusting = await startService(engine);
  await fetch(`${trusting.url}/portal`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  await trusting.close();
  expect(trusting.log()).not.toContain("TRUSTED_PROXY_HOPS");
});
