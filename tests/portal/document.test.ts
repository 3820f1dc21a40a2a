import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type Browser, browserOn, firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { compileOf } from "../support/documentation.ts";
import { ANSWERING } from "../support/engines.ts";
import { NORTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

setDefaultTimeout(300_000);

const PATH = "/portal/openapi.json";

interface Content {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

for (const engine of ANSWERING)
  describe(`the portal's document on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let text: string;
    let document: Document;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
      ({ text, body: document } = await admin.send<Document>("GET", PATH));
    });

    test("is visible only to signed-in super-admins", async () => {
      const { url, superAdminKey } = fixture.service;
      const north = await inviteAndSignIn(
        url,
        admin,
        (await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH })).id,
      );
      expect((await browserOn(url).send("GET", PATH)).status).toBe(401);
      expect((await browserOn(url).send("GET", PATH, { headers: { "x-api-key": superAdminKey } })).status).toBe(401);
      expect(await north.send("GET", PATH)).toMatchObject({ status: 403, body: { code: "exceeds_your_rights" } });
      expect(document.openapi).toBe("3.1.0");
    });

    test("has the API's operations, the portal's own and its endpoints, each with a unique name", () => {
      const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
      const names = operations.map(({ operationId }) => operationId);
      expect(names).toEqual(expect.arrayContaining(["listVehicles", "inviteUser", "getOverview", "signIn", "signOut"]));
      expect(new Set(names).size).toBe(names.length);
      expect(Object.keys(document.paths).filter((path) => !path.startsWith("/portal/"))).toEqual([]);
    });

    test("has an example of each answer, which fits the answer's schema", () => {
      for (const { operationId, responses } of Object.values(document.paths).flatMap((methods) =>
        Object.values(methods),
      )) {
        const [, answer] = Object.entries(responses).find(([status]) => /^20[012]$/.test(status)) ?? [];
        const [first] = Object.values(answer?.content ?? {});
        const checker = compileOf(document.components, first?.schema ?? {});
        expect([operationId, first?.example, checker.Check(first?.example)]).toEqual([
          operationId,
          first?.example,
          true,
        ]);
      }
    });

    test("documents the answer of the session", async () => {
      const session = await admin.send("GET", "/portal/api/session");
      const { OwnSession } = document.components.schemas as { readonly OwnSession: object };
      expect(compileOf(document.components, OwnSession as Record<string, unknown>).Check(session.body)).toBe(true);
    });

    test("has no errors or warnings under Redocly's recommended rules", async () => {
      // The rule does not know that ids are numbers: `vehicles/removed/1` never means a vehicle's images.
      const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
      const problems = await lintFromString({ source: text, config });
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    });
  });
