import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TObject } from "typebox";
import type { Outcome } from "../../core/failure.ts";
import { causeOf, pathsOf, succeeded } from "./use-cases.ts";

/** Values that a field accepts, including its bounds, and values that are just outside or of another type. */
export interface FieldRule {
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const OTHER_THAN_TEXT = [5, true, [], {}, ["text"]];
const UNSTORABLE = ["a\0b", "\0", "a\ud800b", "\udc00", "\udc00\ud800"];
const BLANK = [" ", "\t\r\n", "\u00a0", "\u3000\u2028", "\u0085"];
// One code point, two UTF-16 units, four bytes: shows which of them a length counts.
const WIDE = "😀";
// Two code points, one visible character: likewise.
const COMPOSED = "e\u0301";

/** Text of `min` to `max` code points. */
export const textOf = (min: number, max: number): FieldRule => ({
  accepts: ["a".repeat(Math.max(1, min)), WIDE.repeat(max), " padded ", "Ünï \u4e2d", ...(min === 0 ? ["", " "] : [])],
  refuses: [
    WIDE.repeat(max + 1),
    COMPOSED.repeat(Math.floor(max / 2) + 1),
    ...(min > 0 ? [""] : []),
    ...UNSTORABLE,
    ...OTHER_THAN_TEXT,
  ],
});

/** Text of 1 to `max` code points that is not blank. */
export const requiredTextOf = (max: number): FieldRule => ({
  accepts: textOf(1, max).accepts,
  refuses: [...textOf(1, max).refuses, ...BLANK],
});

export const wholeNumberOf = (min: number, max: number): FieldRule => ({
  accepts: [min, max],
  refuses: [min - 1, max + 1, min + 0.5, String(min), Number.POSITIVE_INFINITY, Number.NaN, true, [], [min], {}],
});

export const ID = wholeNumberOf(1, Number.MAX_SAFE_INTEGER);

export const wordOf = (...words: readonly string[]): FieldRule => ({
  accepts: words,
  refuses: ["", "other", words[0]?.toUpperCase(), ` ${words[0]}`, 0, true, [], words, {}],
});

export const FLAG: FieldRule = { accepts: [true, false], refuses: [1, 0, "true", "", 2, [], {}] };
export const FLAG_OR_BIT: FieldRule = { accepts: [true, false, 1, 0], refuses: ["true", "1", "", 2, -1, 0.5, [], {}] };

export const WEB_ADDRESS: FieldRule = {
  accepts: [
    "https://images.example.com/a.jpg",
    "http://example.com",
    "HTTPS://EXAMPLE.COM/",
    "https://example.com:8443/a?b=c#d",
    "http://192.0.2.1/a",
    "http://[2001:db8::1]:80/a",
    `https://example.com/${"a".repeat(2048 - 20)}`,
  ],
  refuses: [
    `https://example.com/${"a".repeat(2049 - 20)}`,
    "",
    "example.com",
    "//example.com/a",
    "ftp://example.com/a",
    "javascript:alert(1)",
    "data:text/html,x",
    "https:/example.com",
    "https:///a",
    "https://",
    " https://example.com",
    "https://example.com/a b",
    "https://example.com:99999/a",
    "https://192.0.2.1.1/a",
    "https://[2001:db8]/a",
    "https://%zz.example.com/a",
    "https://example.com/\n",
    ...UNSTORABLE.map((text) => `https://example.com/${text}`),
    ...OTHER_THAN_TEXT,
  ],
};

const host = (length: number) => `${"a".repeat(length - 4)}.com`;

export const EMAIL: FieldRule = {
  accepts: ["sales@harbor.example.com", "a@localhost", "a+b@example.com", "ü@exämple.com", `x@${host(252)}`],
  refuses: [
    `x@${host(253)}`,
    "",
    "sales",
    "@example.com",
    "sales@",
    "a@b@example.com",
    "a b@example.com",
    "a@exa mple.com",
    "a@.com",
    "a@com.",
    "a@b..com",
    "a@example.com\n",
    ...UNSTORABLE.map((text) => `${text}@example.com`),
    ...OTHER_THAN_TEXT,
  ],
};

const PAIR = { resource: "vehicles", action: "read" };

export const PERMISSION_LIST: FieldRule = {
  accepts: [[], [PAIR], [PAIR, PAIR], Array(100).fill(PAIR)],
  refuses: [
    Array(101).fill(PAIR),
    "vehicles:read",
    ["vehicles:read"],
    [{ resource: "vehicles" }],
    [{ ...PAIR, action: "execute" }],
    [{ ...PAIR, resource: "planes" }],
    [{ ...PAIR, dealer: 1 }],
    [null],
    {},
    5,
  ],
};

/** A body's fields, and the rules to test. */
export interface BodyRules {
  readonly parse: (input: unknown) => Outcome<object>;
  readonly schema: TObject;
  /** The smallest accepted body. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly required: readonly string[];
  /** Optional fields that `null` does not clear. */
  readonly notNull: readonly string[];
  readonly readOnly: readonly string[];
}

const fieldsIn = (paths: readonly string[] | null): string[] | null =>
  paths === null ? null : [...new Set(paths.map((path) => path.split(".")[0] ?? ""))];

const messagesOf = (outcome: unknown): string[] => {
  const cause = causeOf(outcome);
  return cause?.kind === "invalid" ? cause.issues.map(({ message }) => message) : [];
};

/** Tests every field of a body alone, and all of them together. */
export const testBody = (name: string, rules: BodyRules): void =>
  describe(name, () => {
    const { parse, schema, base, fields, required, notNull, readOnly } = rules;

    test("has exactly the fields that are tested here", () => {
      expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(fields).sort());
    });

    for (const [field, { accepts, refuses }] of Object.entries(fields)) {
      test(`${field} is accepted unchanged, up to its bounds`, () => {
        for (const value of accepts)
          expect<unknown>(succeeded(parse({ ...base, [field]: value }))).toEqual({ ...base, [field]: value });
      });

      test(`${field} outside its bounds or of another type is refused by name, with what it must be`, () => {
        for (const value of refuses) {
          const outcome = parse({ ...base, [field]: value });
          expect([value, fieldsIn(pathsOf(outcome))]).toEqual([value, [field]]);
          expect(messagesOf(outcome).filter((message) => !/must be [a-z0-9]|cannot be changed/.test(message))).toEqual(
            [],
          );
        }
      });

      test(`${field} ${required.includes(field) || notNull.includes(field) ? "is not" : "is"} cleared by null`, () => {
        const outcome = parse({ ...base, [field]: null });
        if (required.includes(field) || notNull.includes(field)) expect(pathsOf(outcome)).toEqual([field]);
        else expect<unknown>(succeeded(outcome)).toEqual({ ...base, [field]: null });
      });
    }

    for (const field of required)
      test(`is refused without ${field}`, () => {
        const { [field]: _, ...rest } = base;
        expect(pathsOf(parse(rest))).toEqual([field]);
      });

    for (const field of readOnly)
      test(`accepts any value of ${field}, which is read-only, and ignores it`, () => {
        for (const value of [1, "2026-11-20T09:11:00.000Z", null, {}, [], -1])
          expect<unknown>(succeeded(parse({ ...base, [field]: value }))).toEqual(base);
      });

    test("values that are accepted one by one are accepted together, unchanged", () => {
      const values = fc.record(
        Object.fromEntries(Object.entries(fields).map(([field, { accepts }]) => [field, fc.constantFrom(...accepts)])),
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(values, (sent) => {
          const body = { ...base, ...sent };
          expect<unknown>(succeeded(parse(body))).toEqual(body);
        }),
      );
    });

    test("all invalid fields are named at once, and no others", () => {
      const faults = Object.entries(fields).flatMap(([field, { refuses }]) =>
        refuses.map((value): [string, unknown] => [field, value]),
      );
      const unknown = ["pirce", "constructor", "toString", "hasOwnProperty", "__proto__"].map(
        (field): [string, unknown] => [field, 1],
      );
      fc.assert(
        fc.property(fc.subarray([...faults, ...unknown], { minLength: 1, maxLength: 8 }), (wrong) => {
          const body = { ...base };
          // As JSON.parse creates it: `__proto__` is a field like any other.
          for (const [field, value] of wrong)
            Object.defineProperty(body, field, { value, enumerable: true, configurable: true, writable: true });
          const named = fieldsIn(pathsOf(parse(body)));
          expect(named?.sort()).toEqual([...new Set(wrong.map(([field]) => field))].sort());
        }),
      );
    });

    test("__proto__ in a body is an unknown field and changes no object", () => {
      const hostile = JSON.parse(`{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}`);
      const body = { ...base };
      for (const [field, value] of Object.entries(hostile))
        Object.defineProperty(body, field, { value, enumerable: true, configurable: true, writable: true });
      expect(pathsOf(parse(body))).toEqual(["__proto__", "constructor"]);
      expect("polluted" in {}).toBe(false);
    });

    test("anything other than an object is refused as a whole", () => {
      for (const input of [null, undefined, [], [base], "text", 5, true]) expect(pathsOf(parse(input))).toEqual([""]);
    });
  });
