import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../bench/chromium.ts";
import { firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { ENGINES } from "../support/engines.ts";
import { PROGRAM } from "../support/executable.ts";
import { createSampleRecords } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";
import { activityJourneys } from "./journeys/activity.ts";
import { ceilingJourneys } from "./journeys/ceilings.ts";
import { channelJourneys } from "./journeys/channels.ts";
import { choiceJourneys } from "./journeys/choices.ts";
import { conflictJourneys } from "./journeys/conflicts.ts";
import { endingSecretsJourneys } from "./journeys/ending-secrets.ts";
import { findingJourneys } from "./journeys/finding.ts";
import { firstStepsJourneys } from "./journeys/first-steps.ts";
import { formJourneys } from "./journeys/forms.ts";
import { historyJourneys } from "./journeys/history.ts";
import { importJourneys } from "./journeys/imports.ts";
import { inventoryJourneys } from "./journeys/inventory.ts";
import { type JourneyContext, journeyContext } from "./journeys/journey-context.ts";
import { keyJourneys } from "./journeys/keys.ts";
import { listJourneys } from "./journeys/lists.ts";
import { paletteJourneys } from "./journeys/palette.ts";
import { reauthenticationJourneys } from "./journeys/reauthentication.ts";
import { removedJourneys } from "./journeys/removed.ts";
import { reportJourneys } from "./journeys/reports.ts";
import { settingsJourneys } from "./journeys/settings.ts";
import { signInJourneys } from "./journeys/sign-in.ts";
import { sourceJourneys } from "./journeys/sources.ts";
import { suggestionJourneys } from "./journeys/suggestions.ts";
import { unsavedJourneys } from "./journeys/unsaved.ts";
import { userJourneys } from "./journeys/users.ts";
import { vehicleJourneys } from "./journeys/vehicles.ts";
import { visibilityJourneys } from "./journeys/visibility.ts";
import { wordJourneys } from "./journeys/words.ts";

// Several run at once on the same processors: on a busy machine each takes minutes.
setDefaultTimeout(300_000);

/**
 * The browser sees only answers, and `tests/http` and the other files of `tests/portal` check those on both engines. So
 * one engine is enough for most journeys. To verify that, three run on both: they write accounts, sessions and factors,
 * dealers, vehicles and images, and whole files of vehicles.
 */
const ON_BOTH = [signInJourneys, inventoryJourneys, importJourneys];
const ON_ONE = [
  keyJourneys,
  firstStepsJourneys,
  activityJourneys,
  listJourneys,
  ceilingJourneys,
  endingSecretsJourneys,
  visibilityJourneys,
  formJourneys,
  reauthenticationJourneys,
  wordJourneys,
  unsavedJourneys,
  conflictJourneys,
  suggestionJourneys,
  vehicleJourneys,
  removedJourneys,
  reportJourneys,
  findingJourneys,
  historyJourneys,
  choiceJourneys,
  paletteJourneys,
  settingsJourneys,
  userJourneys,
  channelJourneys,
  sourceJourneys,
];

let chromium: Browser;
beforeAll(async () => {
  chromium = await launchBrowser();
});
afterAll(() => chromium.close());

for (const [index, engine] of ENGINES.entries())
  describe(`in the portal on ${engine.name}`, () => {
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
      const admin = await firstAdmin(service);
      const records = await createSampleRecords(service.api);
      const { id } = await makePerson(admin, { name: "Rita Registrar", role: "super_admin" });
      const userAdmin = await inviteAndSignIn(service.url, admin, id);
      context = journeyContext(chromium, { service, admin, userAdmin, records, another });
    });
    afterAll(async () => {
      for (const service of services) await service.close();
    });
    for (const journeys of index === 0 ? [...ON_BOTH, ...ON_ONE] : ON_BOTH) journeys(() => context);
  });
