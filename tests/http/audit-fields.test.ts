import { describe, expect, test } from "bun:test";
import { cutText } from "../support/cut-text.ts";
import { ANSWERING } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import type { Field } from "./field-kinds.ts";
import { RESOURCES } from "./field-tables.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Entry {
  readonly action: string;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** A value for every field: the first or the last that it accepts, which differ. */
const filled = (fields: Readonly<Record<string, Field>>, place: 0 | -1): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { takes }]) => {
      const values = takes.filter((value) => value !== null);
      return values.length === 0 ? [] : [[name, values.at(place)]];
    }),
  );

const withoutId = ({ id: _, api_key: __, ...fields }: Fields): Fields => fields;

/** A record as the log has it: without its id, which the entry has, without its secret, and with long texts cut. */
const logged = (record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(withoutId(record)).map(([name, value]) => [
      name,
      typeof value === "string" ? cutText(value) : value,
    ]),
  );

/** Fields that the service computes from a record's changes. */
const COMPUTED = ["updated_at", "previous_price", "price_changed_at"];

/** The fields of a record that differ from another state of it, except computed ones. */
const different = (record: Fields, other: Fields): Fields =>
  Object.fromEntries(
    Object.entries(logged(record)).filter(
      ([name, value]) => !COMPUTED.includes(name) && JSON.stringify(value) !== JSON.stringify(logged(other)[name]),
    ),
  );

for (const engine of ANSWERING)
  describe(`the audit log on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    for (const { name, path, body, created, changed } of RESOURCES)
      test(`has every field of a ${name} as the API showed it before and after a change`, async () => {
        const made = await fixture.api<Fields & { id: number }>("POST", path, {
          body: { ...body(), ...filled(created, 0) },
        });
        expect([made.status, made.text]).toEqual([201, made.text]);
        const { id } = made.body;
        const change = { ...("email" in body() && { email: "other@example.com" }), ...filled(changed, -1) };
        const after = await fixture.api<Fields>("PUT", `${path}/${id}`, { body: change });
        expect([after.status, after.text]).toEqual([200, after.text]);
        await fixture.api("DELETE", `${path}/${id}`);
        const { body: entries } = await fixture.api<Entry[]>("GET", `/api/audit?resource=${name}s&id=${id}`);
        const entryOf = (...actions: string[]): Entry | undefined =>
          entries.findLast(({ action }) => actions.includes(action.slice(name.length + 1)));

        expect(withoutId(entryOf("created", "added")?.after ?? {})).toEqual(logged(made.body));
        const update = entries.findLast((entry) => entry.before !== null && entry.after !== null);
        expect(update?.before).toEqual(different(made.body, after.body));
        // Added, so that readers know the image's vehicle.
        const vehicle = name === "image" && { vehicle_id: made.body.vehicle_id };
        expect(update?.after).toEqual({ ...different(after.body, made.body), ...vehicle });
        const removal = entryOf("removed");
        if (removal !== undefined) expect(withoutId(removal.before ?? {})).toEqual(logged(after.body));
      });
  });
