import { describe, expect, test } from "bun:test";
import { faultsOf } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { inGate } from "../support/depth.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, NORTH_CAR, userBody } from "../support/sample-records.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";
import { email, type Field } from "./field-kinds.ts";
import { RESOURCES, type Resource } from "./field-tables.ts";

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/** One value of each kind in the gate, as `tests/core` tries them all on the bodies' rules; all in the deep run. */
const tried = (values: readonly unknown[]): readonly unknown[] => inGate(values.slice(0, 1), values);

/** Sends values of a field. Accepted values come back; for any other, the error names only this field. */
const expectField = async (name: string, field: Field, success: number, send: (body: object) => Promise<Reply>) => {
  for (const value of tried(field.takes)) {
    const reply = await send({ ...field.with, [name]: value });
    expect([shown(value), reply.status, reply.status === success ? "" : reply.text]).toEqual([
      shown(value),
      success,
      "",
    ]);
    // At creation `null` counts as absent, and the field gets its default.
    if (value === null && success === 201) continue;
    const answered = field.answers === undefined ? value : field.answers(value);
    if (answered === undefined) expect(reply.body).not.toHaveProperty(name);
    else expect(reply.body).toMatchObject({ [name]: answered });
  }
  for (const value of tried(field.refuses)) {
    const reply = await send({ ...field.with, [name]: value });
    expect([shown(value), reply.status]).toEqual([shown(value), 400]);
    const faults = faultsOf(reply).map((path) => path.split(".")[0] ?? "");
    expect([shown(value), [...new Set(faults)]]).toEqual([shown(value), [name]]);
  }
};

const testFields = (fixture: ServiceFixture, { name, path, body, created, changed }: Resource): void => {
  for (const [field, values] of Object.entries(created))
    test(`a new ${name}'s ${field} accepts valid values, and an error names it for invalid ones`, () =>
      expectField(field, values, 201, (sent) => fixture.api("POST", path, { body: { ...body(), ...sent } })));

  for (const [field, values] of Object.entries(changed))
    test(`a changed ${name}'s ${field} accepts valid values, and an error names it for invalid ones`, async () => {
      const { id } = await create(fixture.api, path, body());
      await expectField(field, values, 200, (sent) => fixture.api("PUT", `${path}/${id}`, { body: sent }));
    });

  test(`an unknown field of a ${name} is named, in creation and change`, async () => {
    const { id } = await create(fixture.api, path, body());
    for (const unknown of ["pirce", "constructor", "toString", "hasOwnProperty", "$where", ""]) {
      const post = await fixture.api("POST", path, { body: { ...body(), [unknown]: 1 } });
      expect([unknown, post.status, faultsOf(post)]).toEqual([unknown, 400, [unknown]]);
      const put = await fixture.api("PUT", `${path}/${id}`, { body: { [unknown]: 1 } });
      expect([unknown, put.status, faultsOf(put)]).toEqual([unknown, 400, [unknown]]);
    }
  });

  test(`a ${name} must be a JSON object`, async () => {
    const { id } = await create(fixture.api, path, body());
    for (const raw of ["[]", "[{}]", "5", '"text"', "null", "true"])
      for (const [method, at] of [
        ["POST", path],
        ["PUT", `${path}/${id}`],
      ] as const) {
        const reply = await fixture.api(method, at, { raw });
        expect([raw, method, reply.status]).toEqual([raw, method, 400]);
      }
  });
};

for (const { name, apart, bodies, ...tables } of RESOURCES)
  for (const kind of ["created", "changed"] as const)
    test(`this test covers every field of a ${name} that can be sent when it is ${kind}`, () => {
      const untested = Object.keys(bodies[kind].properties).filter((field) => !(field in tables[kind]));
      expect(untested.filter((field) => !apart.includes(field))).toEqual([]);
    });

for (const engine of ANSWERING)
  describe(`fields on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    for (const resource of RESOURCES) testFields(fixture, resource);

    test("a user's email accepts every valid address", async () => {
      for (const address of email.takes) {
        const { id } = await create(fixture.api, "/api/users", userBody({ email: address }));
        expect((await fixture.api("GET", `/api/users/${id}`)).body).toMatchObject({ email: address as string });
      }
    });

    test("__proto__ in a body is an unknown field and has no effect", async () => {
      const raw = `{"__proto__": {"year": 1999}, "engine": "V8"}`;
      const reply = await fixture.api("PUT", `/api/vehicles/${NORTH_CAR}`, { raw });
      expect([200, 400]).toContain(reply.status);
      const present = await fixture.api("GET", `/api/vehicles/${NORTH_CAR}`);
      expect(present.body).toMatchObject({ year: 2024 });
      expect({}).not.toHaveProperty("year");
    });
  });
