import { describe, expect, test } from "bun:test";
import type { RequestListener } from "node:http";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { testMovingClock } from "../../support/moving-clock.ts";
import { importsIn } from "../../support/waiting-import.ts";
import { fileOf, sourcesOn, WAIT_MS } from "./sources.ts";

/** Sends the beginning of a file, and never its end. */
const endless: RequestListener = (_, response) =>
  void response.writeHead(200, { "content-type": "text/csv" }).write(fileOf("S1"));

/** How often a process renews its lease of a source that it fetches, and sees whether it may go on. */
const RENEWAL_SECONDS = 10;

for (const engine of ENGINES)
  describe(`import sources with slow files on ${engine.name}`, () => {
    const { fixture, siteOf, newDealer, made, read } = sourcesOn(engine);

    /** A source whose fetch has begun, and whose file never ends. */
    const begun = async () => {
      const closed = Promise.withResolvers<void>();
      const { url } = await siteOf((request, response) => {
        request.socket.once("close", closed.resolve);
        endless(request, response);
      });
      const dealer = await newDealer();
      // Another source of the dealer, which stays active.
      await made(dealer, url);
      const { id } = await made(dealer, url);
      const arriving = (): Promise<number> => importsIn(fixture.service.databaseUrl, "arriving");
      const before = await arriving();
      expectReply(await fixture.api("POST", `/api/import-sources/${id}/run`), { status: 202 });
      await eventually(arriving, (count) => count === before + 1);
      return { id, closed: closed.promise };
    };

    test(
      "free their places when they are deleted or switched off",
      async () => {
        const [gone, off] = [await begun(), await begun()];
        expectReply(await fixture.api("DELETE", `/api/import-sources/${gone.id}`), { status: 200 });
        expectReply(await fixture.api("PUT", `/api/import-sources/${off.id}`, { body: { active: false } }), {
          status: 200,
        });
        await fixture.service.runTimers(RENEWAL_SECONDS);
        await Promise.all([gone.closed, off.closed]);
        const { runs } = await eventually(
          () => read(off.id),
          (source) => source.runs.length > 0,
        );
        expect(runs).toMatchObject([{ import_id: null, problem: expect.stringContaining("was switched off") }]);
        await eventually(
          () => importsIn(fixture.service.databaseUrl, "arriving"),
          (count) => count === 0,
        );
      },
      WAIT_MS * 2,
    );

    testMovingClock("fail if the file arrives at less than 64 KiB a second", async () => {
      const { id, closed } = await begun();
      let isClosed = false;
      void closed.then(() => {
        isClosed = true;
      });
      // Time passes until it is too long for what has come, also if the service begins to measure late. The lease is
      // renewed at each step: another process may take over a fetch whose lease is over.
      let polls = 0;
      await eventually(async () => {
        if (polls++ % 40 === 0) await fixture.service.runTimers(RENEWAL_SECONDS);
        return isClosed;
      }, Boolean);
      const { runs } = await eventually(
        () => read(id),
        (source) => source.runs.length > 0,
      );
      expect(runs).toMatchObject([{ import_id: null, problem: expect.stringContaining("sent too slowly") }]);
    });
  });
