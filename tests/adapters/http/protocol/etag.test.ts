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
  test("is a strong one, in the form of RFC 9110", () => {
    fc.assert(fc.property(ids, moments, (id, moment) => expect(tagOf(id, moment)).toMatch(/^"[\x21\x23-\x7e]+"$/)));
  });

  test("differs between two states of a record, and between two records of the same moment", () => {
    fc.assert(
      fc.property(ids, ids, moments, moments, (id, otherId, moment, otherMoment) => {
        expect(tagOf(id, moment) === tagOf(otherId, otherMoment)).toBe(id === otherId && moment === otherMoment);
      }),
    );
  });
});

describe("the variant in a tag", () => {
  test("tells two answers of one state apart, and is of the same version", () => {
    const other = tagOf(ID, OLD, "s");
    expect(other).not.toBe(tag(OLD));
    expect([matchesTag(other, tag(OLD)), onlyVersionOf(ID, other)]).toEqual([false, null]);
    expect(versionsOf(ID, other)).toEqual([OLD]);
  });
});

describe("the representation in a tag", () => {
  const { seats, ...others } = VEHICLE_FIELDS;

  const present = representationOf(VEHICLE_FIELDS, DEALER_FIELDS);

  test("is that of the lists of fields", () => expect(tag(OLD)).toStartWith(`"${present}-`));

  test("is made of every field of a dealer", () =>
    expect([...DEALER_FIELDS].sort()).toEqual(["id", ...Object.keys(dealerFields())].sort()));

  test("is another with another field of a dealer", () => {
    expect(representationOf(VEHICLE_FIELDS, [...DEALER_FIELDS, "invented"])).not.toBe(present);
    expect(representationOf(VEHICLE_FIELDS, DEALER_FIELDS.slice(1))).not.toBe(present);
  });

  for (const [name, fields] of [
    ["a field less", others],
    ["a field more", { ...VEHICLE_FIELDS, invented: seats }],
    ["a field in another place", { seats, ...others }],
    ["a field of another kind", { ...VEHICLE_FIELDS, seats: { kind: "text" } }],
  ] as const)
    test(`is another with ${name}`, () => expect(representationOf(fields, DEALER_FIELDS)).not.toBe(present));

  test("is the same with other limits and descriptions", () => {
    const narrower = { ...seats, max: 9, description: "A few." };
    expect(representationOf({ ...VEHICLE_FIELDS, seats: narrower }, DEALER_FIELDS)).toBe(present);
  });
});

describe("the versions that If-Match names", () => {
  for (const [name, header, versions] of [
    ["no header: any version", null, null],
    ["a star: any version", "*", null],
    ["a star with white space: any version", " * ", null],
    ["one tag", tag(OLD), [OLD]],
    ["a list of tags", `${tag(OLD)}, ${tag(NEW)}`, [OLD, NEW]],
    ["a list without spaces", `${tag(OLD)},${tag(NEW)}`, [OLD, NEW]],
    ["a tag twice: one version", `${tag(OLD)}, ${tag(OLD)}`, [OLD]],
    ["a weak tag, which never matches strongly: none", `W/${tag(OLD)}`, []],
    ["a weak and a strong tag: the strong one", `W/${tag(OLD)}, ${tag(NEW)}`, [NEW]],
    ["another record's tag: none", tag(OLD, 13), []],
    ["the tag of a record whose number begins alike: none", tag(OLD, 120), []],
    ["another service's tag: none", '"abc"', []],
    ["a tag that holds a comma: none", '"a,b"', []],
    ["a tag of no moment: none", tag("yesterday"), []],
    ["a tag of another release: its version", `"1-${ID}-${OLD}"`, [OLD]],
    ["a tag of a release whose fields hash to a sign: its version", `"a-_b-c-${ID}-${OLD}"`, [OLD]],
    ["a tag of no release: none", `"-${ID}-${OLD}"`, []],
    ["a tag with more before the record than any release has: none", `"invented-${ID}-${OLD}"`, []],
    ["a tag without quotes: none", tag(OLD).slice(1, -1), []],
    ["an empty header: none", "", []],
    ["an empty tag: none", '""', []],
  ] as const)
    test(name, () => {
      expect<unknown>(versionsOf(ID, header)).toEqual(versions);
    });

  test("are those of its own tags, whatever stands between them", () => {
    const foreign = fc.stringMatching(/^(W\/)?"[a-z, ]{0,9}"$/);
    fc.assert(
      fc.property(fc.uniqueArray(moments, { maxLength: 10 }), fc.array(foreign, { maxLength: 5 }), (own, others) => {
        const header = [...others, ...own.map((moment) => tag(moment)), ...others].join(", ");
        expect(versionsOf(ID, header)).toEqual(own);
      }),
    );
  });

  test("are 16 at most, so that no header makes a statement of any size", () => {
    const many = Array.from({ length: 100 }, (_, ms) => new Date(ms).toISOString());
    expect(versionsOf(ID, many.map((moment) => tag(moment)).join(", "))).toEqual(many.slice(0, 16));
  });
});

describe("a tag that If-None-Match names", () => {
  for (const [name, header, named] of [
    ["the tag itself", tag(OLD), true],
    ["the weak form of it", `W/${tag(OLD)}`, true],
    ["a list with it", `"abc", ${tag(OLD)}`, true],
    ["a list with its weak form", `W/"abc", W/${tag(OLD)}`, true],
    ["a star", "*", true],
    ["another version", tag(NEW), false],
    ["another record of the same moment", tag(OLD, 13), false],
    ["the tag without quotes", tag(OLD).slice(1, -1), false],
    ["an empty header", "", false],
    ["a tag that has it as a part", `"x${tag(OLD).slice(1)}`, false],
  ] as const)
    test(`${name}: ${named ? "is named" : "is not named"}`, () => {
      expect(matchesTag(header, tag(OLD))).toBe(named);
    });
});
