import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { expectReply } from "../support/cases.ts";
import { declaredIn } from "../support/declared-errors.ts";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, keyBody, NOTHING } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { totpOf } from "../support/totp.ts";
import { changeImport } from "../support/waiting-import.ts";
import {
  isAt,
  OF_NO_DEALER,
  ON_WAITING_IMPORTS,
  OPERATIONS,
  type Operation,
  sentBy,
  WITHOUT_END,
} from "./operations.ts";
import { freshTargets, missingTargets, targetsOf } from "./targets.ts";

const ALL = [...OPERATIONS, ...OF_NO_DEALER, ...ON_WAITING_IMPORTS];
const NEXT_PASSWORD = "another horse battery staple";

/** How an operation fails: for want of the record if it names one, of the permission, or of a key. */
const failureOf = ({ bound, needs }: Operation): "not_found" | "permission_missing" | "api_key_missing" => {
  if (bound === "own" || bound === "visibility") return "not_found";
  return needs === "no permission" ? "api_key_missing" : "permission_missing";
};
const STATUS = { not_found: 404, permission_missing: 403, api_key_missing: 401 } as const;

// It answers later, where SQLite answers at once: a route that does not wait answers nothing here.
const [, engine] = ENGINES;

describe(`every route on ${engine.name} answers a success and a failure:`, () => {
  const fixture = serviceFixture(engine);
  let admin: Browser;
  beforeAll(async () => {
    admin = await firstAdmin(fixture.service);
  });

  for (const operation of ALL)
    test(operation.name, async () => {
      const { method, path, success } = operation;
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      const at = await freshTargets(fixture.api, { dealer, mark: "ours", named: targetsOf(operation) });
      if (ON_WAITING_IMPORTS.includes(operation))
        await changeImport(fixture.service.databaseUrl, at.import, "needs_confirmation");
      const code = failureOf(operation);
      const where = code === "not_found" ? missingTargets(NOTHING) : at;
      const key = {
        not_found: fixture.service.superAdminKey,
        permission_missing: fixture.records.keys.powerless.api_key,
        api_key_missing: null,
      }[code];
      const refused = await fixture.api(method, path(where), { key, ...sentBy(operation, where) });
      expectReply(refused, { status: STATUS[code], code });
      expectReply(await fixture.api(method, path(at), sentBy(operation, at)), { status: success });
    });

  /** The requests to the portal's own operations that were answered as they should. */
  const answered = new Set<string>();

  /** Sends a request to an operation of the portal, and expects this status. */
  const answers = async (
    who: Browser,
    [method, pattern]: readonly [method: string, pattern: string],
    { status, id = 0, path, body }: { status: number; id?: number | string; path?: string; body?: object },
  ) => {
    const reply = await who.send<Record<string, string>>(
      method,
      path ?? `/portal/api${pattern.replace("{id}", String(id))}`,
      { body },
    );
    expect([method, pattern, reply.status]).toEqual([method, pattern, status]);
    answered.add(`${status < 400 ? "success" : "failure"} ${method} /portal/api${pattern}`);
    return reply;
  };

  test("an invitation, and signing in with a second factor", async () => {
    const { url } = fixture.service;
    const { id, email } = await makePerson(admin);
    const nobody = browserOn(url);
    const [INVITE, LOOK, ACCEPT] = [
      ["POST", "/users/{id}/invitation"],
      ["GET", "/invitations/{token}"],
      ["POST", "/invitations/{token}"],
    ] as const;
    await answers(admin, INVITE, { status: 404, id: NOTHING });
    const invited = await answers(admin, INVITE, { status: 201, id });
    for (const [link, status] of [
      ["x".repeat(43), 404],
      [invited.body.url ?? "", 200],
    ] as const) {
      const path = invitationPath(link);
      await answers(nobody, LOOK, { status, path });
      await answers(nobody, ACCEPT, { status, path, body: { password: PASSWORD } });
    }
    const [OFFER, CONFIRM, RENEW, REMOVE] = [
      ["POST", "/second-factor"],
      ["POST", "/second-factor/confirm"],
      ["POST", "/second-factor/recovery-codes"],
      ["DELETE", "/second-factor"],
    ] as const;
    const [proof, wrong] = [{ password: PASSWORD }, { password: NEXT_PASSWORD }];
    await answers(nobody, OFFER, { status: 400, body: wrong });
    const offer = await answers(nobody, OFFER, { status: 200, body: proof });
    const secret = offer.body.secret ?? "";
    await answers(nobody, CONFIRM, { status: 400, body: { code: "000000" } });
    await answers(nobody, CONFIRM, { status: 200, body: { code: totpOf(fixture.service.clock, secret) } });
    for (const [body, status] of [
      [wrong, 400],
      [proof, 200],
    ] as const)
      await answers(nobody, RENEW, { status, body });
    const there = browserOn(url);
    await answers(there, ["POST", "/sign-in"], { status: 401, body: { email, ...wrong } });
    await answers(there, ["POST", "/sign-in"], { status: 200, body: { email, ...proof } });
    for (const [code, status] of [
      ["000000", 401],
      [totpOf(fixture.service.clock, secret, 1), 200],
    ] as const)
      await answers(there, ["POST", "/sign-in/second-factor"], { status, body: { code } });
    for (const [body, status] of [
      [wrong, 400],
      [proof, 200],
    ] as const)
      await answers(there, REMOVE, { status, body });
  });

  test("one's own session, password and address", async () => {
    const { url } = fixture.service;
    const { id, email } = await makePerson(admin, { role: "super_admin" });
    const own = await inviteAndSignIn(url, admin, id);
    const other = browserOn(url);
    await signIn(other, email);
    const { body: sessions } = await answers(own, ["GET", "/sessions"], { status: 200 });
    const listed = sessions as unknown as readonly { readonly id: number; readonly current: boolean }[];
    const otherId = listed.find(({ current }) => !current)?.id ?? 0;
    await answers(own, ["GET", "/session"], { status: 200 });
    await answers(own, ["DELETE", "/sessions/{id}"], { status: 404, id: NOTHING });
    await answers(own, ["DELETE", "/sessions/{id}"], { status: 200, id: otherId });
    for (const [method, path] of [
      ["GET", "/session"],
      ["GET", "/sessions"],
      ["DELETE", "/sessions"],
      ["POST", "/sign-out"],
    ] as const)
      await answers(other, [method, path], { status: 401 });
    for (const [password, status] of [
      [NEXT_PASSWORD, 400],
      [PASSWORD, 200],
    ] as const) {
      await answers(own, ["POST", "/reauthenticate"], { status, body: { password } });
      await answers(own, ["PUT", "/email"], { status, body: { email: `new-${email}`, password } });
      await answers(own, ["PUT", "/password"], {
        status,
        body: { current_password: password, new_password: NEXT_PASSWORD },
      });
    }
    await answers(own, ["DELETE", "/sessions"], { status: 200 });
    await answers(own, ["POST", "/sign-out"], { status: 200 });
  });

  test("others' accounts, the keys' usage and the overview", async () => {
    const { id } = await makePerson(admin);
    const person = await inviteAndSignIn(fixture.service.url, admin, id);
    const { id: key } = await create(fixture.api, "/api/keys", keyBody({ user_id: id }));
    const powerless = await makePerson(admin, { permissions: [] });
    const weak = await inviteAndSignIn(fixture.service.url, admin, powerless.id);
    for (const path of ["/overview", `/key-usage?ids=${key}`]) {
      const pattern = path.replace(/\?.*/, "");
      await answers(admin, ["GET", pattern], { status: 200, path: `/portal/api${path}` });
      await answers(weak, ["GET", pattern], { status: 403, path: `/portal/api${path}` });
    }
    const { body } = await person.send<{ id: number }[]>("GET", "/portal/api/sessions");
    const session = body[0]?.id ?? 0;
    for (const [method, path, sent] of [
      ["GET", "/users/{id}/account"],
      ["GET", "/users/{id}/sessions"],
      ["DELETE", "/users/{id}/sessions/{session_id}"],
      ["DELETE", "/users/{id}/sessions"],
      ["DELETE", "/users/{id}/second-factor"],
      ["POST", "/users/{id}/leave", { keys: "revoke" }],
      ["GET", "/users/{id}/leave"],
      ["POST", "/users/{id}/return"],
    ] as const)
      for (const [of, status] of [
        [NOTHING, 404],
        [id, 200],
      ] as const)
        await answers(admin, [method, path], {
          status,
          path: `/portal/api${path.replace("{id}", String(of)).replace("{session_id}", String(session))}`,
          ...(sent !== undefined && { body: sent }),
        });
  });

  test("and the portal has no operation of its own besides these, its name and its document", async () => {
    await answers(browserOn(fixture.service.url), ["GET", "/branding"], { status: 200 });
    const reply = await admin.send<{ paths: Parameters<typeof declaredIn>[0] }>("GET", "/portal/openapi.json");
    const own = declaredIn(reply.body.paths).filter(
      // change-stream.test.ts reads answers without an end on this engine.
      ({ method, path }) =>
        ![...ALL, ...WITHOUT_END].some((one) => isAt(one, { method, path: path.replace("/portal/", "/") })),
    );
    const wanted = own
      .flatMap(({ method, path }) => [`success ${method} ${path}`, `failure ${method} ${path}`])
      // They are for everybody, and read nothing that can be missing.
      .filter((one) => !one.endsWith("/openapi.json") && one !== "failure GET /portal/api/branding");
    expect([...answered].sort()).toEqual(wanted.sort());
  });
});
