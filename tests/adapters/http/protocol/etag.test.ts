import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  DEALER_FIELDS,
  matchesTag,
  onlyVersionOf,
  representationOf,
  tagOf,
  versionsOf,
} from "../../../../adapters/http/protocol/etag.ts";
import { VEHICLE_FIELDS } from "../../../../core/vehicles/fields.ts";
import { dealerFields } from "../../../support/records.ts";

const ID = 12;
const OLD = "2026-11-20T09:11:00.000Z";
const NEW = "2026-11-20T09:11:00.001Z";
const tag = (version: string, id = ID) => tagOf(id, version);

const moments = fc
  .date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true })
  .map((date) => date.toISOString());
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe("the tag of a record", () => {
  test("is strong, in the format of RFC 9110", () => {
    fc.assert(fc.property(ids, moments, (id, moment) => expect(tagOf(id, moment)).toMatch(/^"[\x21\x23-\x7e]+"$/)));
  });

  test("differs between two states of a record, and between two records of the same time", () => {
    fc.assert(
      fc.property(ids, ids, moments, moments, (id, otherId, moment, otherMoment) => {
        expect(tagOf(id, moment) === tagOf(otherId, otherMoment)).toBe(id === otherId && moment === otherMoment);
      }),
    );
  });
});

describe("the variant in a tag", () => {
  test("distinguishes two answers of one state, and belongs to the same version", () => {
    const other = tagOf(ID, OLD, "s");
    expect(other).not.toBe(tag(OLD));
    expect([matchesTag(other, tag(OLD)), onlyVersionOf(ID, other)]).toEqual([false, null]);
    expect(versionsOf(ID, other)).toEqual([OLD]);
  });
});

describe("the part of a tag for the representation", () => {
  const { seats, ...others } = VEHICLE_FIELDS;

  const present = representationOf(VEHICLE_FIELDS, DEALER_FIELDS);

  test("is computed from the lists of fields", () => expect(tag(OLD)).toStartWith(`"${present}-`));

  test("covers every field of a dealer", () =>
    expect([...DEALER_FIELDS].sort()).toEqual(["id", ...Object.keys(dealerFields())].sort()));

  test("changes with the fields of a dealer", () => {
    expect(representationOf(VEHICLE_FIELDS, [...DEALER_FIELDS, "invented"])).not.toBe(present);
    expect(representationOf(VEHICLE_FIELDS, DEALER_FIELDS.slice(1))).not.toBe(present);
  });

  for (const [name, fields] of [
    ["one field less", others],
    ["one field more", { ...VEHICLE_FIELDS, invented: seats }],
    ["a field at another position", { seats, ...others }],
    ["a field of another type", { ...VEHICLE_FIELDS, seats: { kind: "text" } }],
  ] as const)
    test(`changes with ${name}`, () => expect(representationOf(fields, DEALER_FIELDS)).not.toBe(present));

  test("does not change with other limits and descriptions", () => {
    const narrower = { ...seats, max: 9, description: "A few." };
    expect(representationOf({ ...VEHICLE_FIELDS, seats: narrower }, DEALER_FIELDS)).toBe(present);
  });
});

describe("the versions named by If-Match", () => {
  for (const [name, header, versions] of [
    ["are any version for a missing header", null, null],
    ["are any version for a star", "*", null],
    ["are any version for a star with white space", " * ", null],
    ["are one for one tag", tag(OLD), [OLD]],
    ["are several for a list of tags", `${tag(OLD)}, ${tag(NEW)}`, [OLD, NEW]],
    ["are several for a list without spaces", `${tag(OLD)},${tag(NEW)}`, [OLD, NEW]],
    ["are one for a repeated tag", `${tag(OLD)}, ${tag(OLD)}`, [OLD]],
    ["are none for a weak tag, which never matches strongly", `W/${tag(OLD)}`, []],
    ["are the strong one of a weak and a strong tag", `W/${tag(OLD)}, ${tag(NEW)}`, [NEW]],
    ["are none for another record's tag", tag(OLD, 13), []],
    ["are none for the tag of a record whose id begins with the same digits", tag(OLD, 120), []],
    ["are none for another service's tag", '"abc"', []],
    ["are none for a tag with a comma", '"a,b"', []],
    ["are none for a tag without a time", tag("yesterday"), []],
    ["are the version in a tag of another release", `"1-${ID}-${OLD}"`, [OLD]],
    ["are the version in a tag of a release whose hash contains other signs", `"a-_b-c-${ID}-${OLD}"`, [OLD]],
    ["are none for a tag without a release", `"-${ID}-${OLD}"`, []],
    [
      "are none for a tag with more before the record than any release has",
      `"invented-by-somebody-else-${ID}-${OLD}"`,
      [],
    ],
    ["are none for a tag without quotes", tag(OLD).slice(1, -1), []],
    ["are none for an empty header", "", []],
    ["are none for an empty tag", '""', []],
  ] as const)
    test(name, () => {
      expect<unknown>(versionsOf(ID, header)).toEqual(versions);
    });

  test("are those of the record's own tags, whatever stands between them", () => {
    const foreign = fc.stringMatching(/^(W\/)?"[a-z, ]{0,9}"$/);
    fc.assert(
      fc.property(fc.uniqueArray(moments, { maxLength: 10 }), fc.array(foreign, { maxLength: 5 }), (own, others) => {
        const header = [...others, ...own.map((moment) => tag(moment)), ...others].join(", ");
        expect(versionsOf(ID, header)).toEqual(own);
      }),
    );
  });

  test("are 16 at most, so that no header makes a statement grow without limit", () => {
    const many = Array.from({ length: 100 }, (_, ms) => new Date(ms).toISOString());
    expect(versionsOf(ID, many.map((moment) => tag(moment)).join(", "))).toEqual(many.slice(0, 16));
  });
});

describe("If-None-Match", () => {
  for (const [name, header, named] of [
    ["the tag itself", tag(OLD), true],
    ["its weak form", `W/${tag(OLD)}`, true],
    ["a list that has it", `"abc", ${tag(OLD)}`, true],
    ["a list that has its weak form", `W/"abc", W/${tag(OLD)}`, true],
    ["a star", "*", true],
    ["another version", tag(NEW), false],
    ["another record of the same moment", tag(OLD, 13), false],
    ["the tag without quotes", tag(OLD).slice(1, -1), false],
    ["an empty header", "", false],
    ["a tag that ends with it", `"x${tag(OLD).slice(1)}`, false],
  ] as const)
    test(`with ${name} ${named ? "names" : "does not name"} the tag`, () => {
      expect(matchesTag(header, tag(OLD))).toBe(named);
    });
});
