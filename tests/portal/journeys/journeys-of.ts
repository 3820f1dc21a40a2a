import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { type Browser, FIRST, firstAdmin, inviteAndSignIn, makePerson } from "../../support/browser.ts";
import { useChromium } from "../../support/chromium.ts";
import { ANSWERING, ENGINES, type TestEngine } from "../../support/engines.ts";
import { PROGRAM } from "../../support/executable.ts";
import { createSampleRecords } from "../../support/sample-records.ts";
import { startService, type TestService } from "../../support/service.ts";
import { type JourneyContext, type Journeys, journeyContext } from "./journey-context.ts";

/** With so many, none sends 300 requests even if all journeys took less than a minute. */
const ADMINS = 10;

const superAdmin = async (service: TestService, admin: Browser, name: string): Promise<Browser> =>
  inviteAndSignIn(service.url, admin, (await makePerson(admin, { name, role: "super_admin" })).id);

const journeysOn = (engine: TestEngine, all: readonly Journeys[]): void =>
  describe(`in the portal on ${engine.name}`, () => {
    const chromium = useChromium();
    let context: JourneyContext;
    const services: TestService[] = [];
    const another = async (environment: Readonly<Record<string, string>> = {}): Promise<TestService> => {
      const service = await startService(engine, environment, { command: PROGRAM });
      services.push(service);
      return service;
    };
    beforeAll(async () => {
      // The journeys' sources are files on this machine.
      const service = await another({ EGRESS_ALLOW: "127.0.0.0/8" });
      const first = await firstAdmin(service);
      const records = await createSampleRecords(service.api);
      const admins = [first];
      while (admins.length < ADMINS) admins.push(await superAdmin(service, first, FIRST.name));
      const userAdmin = await superAdmin(service, first, "Rita Registrar");
      let asked = 0;
      context = journeyContext(chromium(), {
        ...{ service, userAdmin, records, another },
        get admin() {
          return admins[++asked % ADMINS] ?? first;
        },
      });
    });
    afterAll(async () => {
      for (const service of services) await service.close();
    });
    for (const journeys of all) journeys(() => context);
  });

/**
 * The browser sees only answers, and `tests/contracts` and `tests/http` check those on both engines. So journeys run on
 * one engine. To verify that, some run on both in the deep run.
 */
export const journeysOf = (onOne: readonly Journeys[], onBoth: readonly Journeys[] = []): void => {
  // It only ends what hangs.
  setDefaultTimeout(300_000);
  const [first] = ENGINES;
  for (const engine of ANSWERING) journeysOn(engine, engine === first ? [...onBoth, ...onOne] : onBoth);
};
