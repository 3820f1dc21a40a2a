import type { Browser as Chromium } from "playwright-core";
import { type Browser, inviteAndSignIn, makePerson } from "../../support/browser.ts";
import { type Visit, visiting } from "../../support/portal.ts";
import type { SampleRecords } from "../../support/sample-records.ts";
import type { TestService } from "../../support/service.ts";

/** The context that the journeys through one running service share. */
export interface JourneyContext {
  readonly service: TestService;
  readonly records: SampleRecords;
  /** A super-admin's session. */
  readonly admin: Browser;
  /** The session of another super-admin, who creates all users: one user may send 300 requests a minute. */
  readonly userAdmin: Browser;
  /** Starts another service of the same kind, on a fresh database. */
  another(environment?: Readonly<Record<string, string>>): Promise<TestService>;
  /** Opens the portal at another address, without a session unless one is given. */
  alone(url: string, work: (visit: Visit) => Promise<void>, visitor?: Browser): Promise<void>;
  /** Opens the portal with a session, or without. */
  visit(
    visitor: Browser | null,
    work: (visit: Visit) => Promise<void>,
    options?: Parameters<typeof visiting>[0]["options"],
  ): Promise<void>;
}

/** Adds the tests of some journeys; the context exists when they run. */
export type Journeys = (context: () => JourneyContext) => void;

export const journeyContext = (
  chromium: Chromium,
  fields: Omit<JourneyContext, "visit" | "alone">,
): JourneyContext => ({
  ...fields,
  alone: (url, work, visitor) => visiting({ chromium, url, visitor: visitor ?? null, work }),
  visit: (visitor, work, options) => visiting({ chromium, url: fields.service.url, visitor, work, options }),
});

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
