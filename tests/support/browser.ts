import { freshAddress } from "./client.ts";
import { portalDocumentation } from "./portal-documentation.ts";
import type { Reply } from "./reply.ts";
import type { TestService } from "./service.ts";

/** The parts of a page's request besides method and path. */
export interface SentByPage {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, as `application/json` unless the headers say otherwise. */
  readonly raw?: string;
  /** Added to the usual headers, or replacing them; an empty one is not sent. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser at the portal: it keeps cookies and states the origin of its requests. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** Sends a request as a page of the portal. The answer is checked against the portal's own documentation. */
  send<Body = Record<string, unknown>>(method: string, path: string, sent?: SentByPage): Promise<Reply<Body>>;
}

const keep = (cookies: Map<string, string>, response: Response): void => {
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }
};

/** A browser without cookies, at its own address. */
export const browserOn = (url: string, address = freshAddress()): Browser => {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send<Body>(method: string, path: string, { body, raw, headers = {} }: SentByPage = {}) {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const sent = new Headers({
        "x-forwarded-for": address,
        "user-agent": "Browser of the tests",
        origin: new URL(url).origin,
        "sec-fetch-site": "same-origin",
        ...(payload !== undefined && { "content-type": "application/json" }),
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      });
      for (const [name, value] of Object.entries(headers))
        if (value === "") sent.delete(name);
        else sent.set(name, value);
      const init = { method, headers: sent, ...(payload !== undefined && { body: payload }) };
      const response = await fetch(url + path, init);
      keep(cookies, response);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      const reply: Reply = {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== "" ? JSON.parse(text) : undefined,
      };
      const faults = path.startsWith("/portal/") ? portalDocumentation().faultsOf(method, path, reply) : [];
      if (faults.length > 0)
        throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}\n${faults.join("\n")}`);
      return reply as Reply<Body>;
    },
  };
};

/** The password of the tests' users. */
export const PASSWORD = "correct horse battery staple";
export const FIRST = { name: "Sam Example", email: "Sam@example.com" } as const;

/** The path at which the portal's API accepts an invitation. */
export const invitationPath = (link: string): string => `/portal/api/invitations/${link.split("/").at(-1)}`;

const expectStatus = <Body>(reply: Reply<Body>, status: number): Reply<Body> => {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status} ${reply.text}`);
  return reply;
};

/** The first super-admin, set up and signed in through the set-up link. */
export const firstAdmin = async ({ url, setUpLink }: TestService): Promise<Browser> => {
  const browser = browserOn(url);
  expectStatus(
    await browser.send("POST", invitationPath(setUpLink ?? ""), { body: { ...FIRST, password: PASSWORD } }),
    200,
  );
  return browser;
};

/** Signs a user in through the admin's invitation. */
export const inviteAndSignIn = async (url: string, admin: Browser, userId: number): Promise<Browser> => {
  const invite = () => admin.send<{ url: string; code?: string }>("POST", `/portal/api/users/${userId}/invitation`);
  const first = await invite();
  const isProofOld = first.body.code === "reauthentication_required";
  if (isProofOld)
    expectStatus(await admin.send("POST", "/portal/api/reauthenticate", { body: { password: PASSWORD } }), 200);
  const invited = expectStatus(isProofOld ? await invite() : first, 201);
  const browser = browserOn(url);
  expectStatus(await browser.send("POST", invitationPath(invited.body.url), { body: { password: PASSWORD } }), 200);
  return browser;
};

/** Signs in with a password. */
export const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.send("POST", "/portal/api/sign-in", { body: { email, password } });

let people = 0;

/** Creates a user as the admin; returns the id and the address. */
export const makePerson = async (admin: Browser, fields: Readonly<Record<string, unknown>> = {}) => {
  const email = `person${++people}@example.com`;
  const body = { name: `Person ${people}`, email, role: "user", ...fields };
  const made = expectStatus(await admin.send<{ id: number }>("POST", "/portal/api/users", { body }), 201);
  return { id: made.body.id, email };
};
