import type { Browser as Chromium } from "playwright-core";
import { type Browser, inviteAndSignIn, makePerson } from "../../support/browser.ts";
import { type Visit, visiting } from "../../support/portal.ts";
import type { TestService } from "../../support/service.ts";
import type { World } from "../../support/world.ts";

/** What the journeys through one running service share. */
export interface Stage {
  readonly service: TestService;
  readonly world: World;
  /** A super-admin's session. */
  readonly admin: Browser;
  /** The session of another one, who makes all newcomers: a user may ask 300 times a minute. */
  readonly registrar: Browser;
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

/** Adds the tests of some journeys; the stage exists when they run. */
export type Journeys = (stage: () => Stage) => void;

export const stageOn = (chromium: Chromium, fields: Omit<Stage, "visit" | "alone">): Stage => ({
  ...fields,
  alone: (url, work, visitor) => visiting({ chromium, url, visitor: visitor ?? null, work }),
  visit: (visitor, work, options) => visiting({ chromium, url: fields.service.url, visitor, work, options }),
});

/** Creates a user and signs them in; returns the session with the id and address. */
export const newcomer = async ({ registrar, service }: Stage, fields: Readonly<Record<string, unknown>> = {}) => {
  const person = await makePerson(registrar, fields);
  return { ...person, session: await inviteAndSignIn(service.url, registrar, person.id) };
};

/** The status of a request with a key. */
export const statusWith = async ({ service }: Stage, key: string, path = "/api/vehicles"): Promise<number> =>
  (await fetch(service.url + path, { headers: { "x-api-key": key } })).status;
