import type { BrowserContextOptions, Browser as Chromium, ViewportSize } from "playwright-core";
import { type Browser, inviteAndSignIn, makePerson } from "../../support/browser.ts";
import { keptPortal } from "../../support/kept-portal.ts";
import { type Visit, visiting } from "../../support/portal.ts";
import type { SampleRecords } from "../../support/sample-records.ts";
import type { TestService } from "../../support/service.ts";

type Work = (visit: Visit) => Promise<void>;

/** What a service gives the journeys through it. */
interface Stage {
  readonly service: TestService;
  readonly records: SampleRecords;
  /**
   * A super-admin's session: each time that of the next of several, who all have the same name. One user may send 300
   * requests a minute.
   */
  readonly admin: Browser;
  /** The session of another super-admin, who creates all users. */
  readonly userAdmin: Browser;
  /** Starts another service of the same kind, on a fresh database. */
  another(environment?: Readonly<Record<string, string>>): Promise<TestService>;
}

/** The context that the journeys through one running service share. */
export interface JourneyContext extends Stage {
  /** Opens the portal with a session, in a page that other visits have used: for all that is not about loading it. */
  visit(visitor: Browser, work: Work, size?: ViewportSize): Promise<void>;
  /** Loads the portal into a page of its own, with a session or without. */
  load(visitor: Browser | null, work: Work, options?: BrowserContextOptions): Promise<void>;
  /** Loads the portal at another address, without a session unless one is given. */
  alone(url: string, work: Work, visitor?: Browser): Promise<void>;
}

/** Adds the tests of some journeys; the context exists when they run. */
export type Journeys = (context: () => JourneyContext) => void;

/** The context of the journeys through a service. */
export const journeyContext = (chromium: Chromium, stage: Stage): JourneyContext => {
  const { service, records, userAdmin, another } = stage;
  const { url } = service;
  return {
    ...{ service, records, userAdmin, another },
    get admin() {
      return stage.admin;
    },
    visit: keptPortal(chromium, url).visit,
    load: (visitor, work, options) => visiting({ chromium, url, visitor, work, options }),
    alone: (other, work, visitor) => visiting({ chromium, url: other, visitor: visitor ?? null, work }),
  };
};

/** Creates a user and signs them in; returns the session with the id and address. */
export const signedInUser = async (
  { userAdmin, service }: JourneyContext,
  fields: Readonly<Record<string, unknown>> = {},
) => {
  const person = await makePerson(userAdmin, fields);
  return { ...person, session: await inviteAndSignIn(service.url, userAdmin, person.id) };
};

/** The status of a request with a key. */
export const statusWith = async ({ service }: JourneyContext, key: string, path = "/api/vehicles"): Promise<number> =>
  (await fetch(service.url + path, { headers: { "x-api-key": key } })).status;
