import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCommonPassword } from "../../../adapters/sign-in/common-passwords.ts";
import { passwordIssues } from "../../../core/sign-in/invitations.ts";
import { MAX_PASSWORD, MIN_PASSWORD, normalPassword, passwordFault } from "../../../core/sign-in/password-rules.ts";

const OWNER = { email: "Robin.Example@dealer.example.com" };
const faultOf = (password: string, owner: { email: string | null } = OWNER) =>
  passwordFault(password, owner, isCommonPassword);

describe("a password is refused when it is", () => {
  for (const [what, passwords, word] of [
    ["shorter than 12 characters", ["short", "elevenchars", "e\u0301".repeat(11)], /12 to 128/],
    [
      "among the most common ones, in whatever case",
      ["administrator", "Administrator", "qwerty123456", "1QAZ2WSX3EDC", "password1234", "unbelievable"],
      /most common/,
    ],
    [
      "the repetition of a common one",
      ["passwordpassword", "Password123password123", "dragondragon", "letmeinletmeinlet", "shadowshadowsha"],
      /repeat|most common/,
    ],
    ["the repetition of a few characters", ["xqxqxqxqxqxq", "a7!ka7!ka7!ka7!k", "Zq Zq Zq Zq "], /repeat/],
    ["digits alone", ["123456789012", "314159265358979", "٣٧١٩٢٨٤٦٥١٠٢"], /digits alone|most common/],
    [
      "runs of keys, letters or digits",
      [
        ...["qwertyuiop12", "asdfghjkl;'#", "qwertyasdfgh", "QWEasdZXC123", "poiuytrewq98", "zyxwvutsrqpo"],
        ...["aaaaaaaaaaaa", "aabbccddeeff", "1q2w3e4r5t6z", "qwertzuiop12", "!@#$%^&*()_+", "abcdefghijkl"],
      ],
      /runs|most common/,
    ],
    [
      "little more than the address",
      ["robin.example", "Robin.Example1", "robin.example@dealer.example.com", "RobinExample2026", "robinexample!!!1"],
      /email/,
    ],
    [
      "little more than the service's name",
      ["vehicleinventory", "Vehicle Inventory", "vehicle-inventory-service", "VehicleInventory2026"],
      /service/,
    ],
  ] as const)
    test(what, () => {
      for (const password of passwords)
        expect([password, faultOf(password)]).toEqual([password, expect.stringMatching(word)]);
    });
});

test("passwords that are hard to guess are accepted, in any script", () => {
  for (const password of [
    "correct horse battery staple",
    "another horse battery staple 7",
    "Tr0ub4dour&3-more",
    "vhqx-92km-tpwz",
    "грузовик летит домой",
    "馬が電池を食べて眠る夜の話です",
    "🐎".repeat(128),
    "robin.example walks at noon",
    "selling vehicle inventory since 1969",
    "e\u0301tudiants ravis",
  ])
    expect([password, faultOf(password)]).toEqual([password, null]);
});

test("unknown and short addresses do not restrict a password", () => {
  expect(faultOf("robin.example", { email: null })).toBeNull();
  expect(faultOf("samovar brass kettle", { email: "sam@example.com" })).toBeNull();
});

test("composed and decomposed characters give the same password", () => {
  expect(normalPassword("e\u0301te\u0301")).toBe(normalPassword("été"));
});

test("no text of up to 128 characters breaks the rules, and random ones pass", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 128, size: "max" }), (text) => void faultOf(text)));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      if (new Set(bytes).size === 16) expect(faultOf(`${Buffer.from(bytes).toString("base64url")}Kq`)).toBeNull();
    }),
  );
});

test("one other character, or a longer piece, is no repetition", () => {
  for (const password of ["a7!kZ7!kZ7!k", "k7!pQzk7!pQz"])
    expect([password, faultOf(password)]).toEqual([password, null]);
});

test("a name of four letters needs six letters or digits beside it, and a shorter one must not be all there is", () => {
  const of = (password: string, name: string) => faultOf(password, { email: `${name}@dealer.example.com` });
  for (const [password, name, isFault] of [
    ["kimi-wu8.rt!#", "kimi", true],
    ["kimi-wu8.rt4#", "kimi", false],
    ["kim-wu8.rt!#?", "kim", false],
    ["k?i=m+;:_)#@", "kim", true],
  ] as const)
    expect([password, of(password, name)]).toEqual([password, isFault ? expect.stringMatching(/email/) : null]);
});

// Each has four runs of three, so that none of them is a run any more if one row of keys is unknown.
const RUNS_OF_KEYS = [
  ...["$%^t6ysx3y7u", "gb6abcw3ei9o", "u8ie4r0-=dc4", "azeqazqsdr5t", "zxcl;'p[]580", "qsdq2wfv5012", "hn7az28ikpo0"],
  "369l;'tzu147",
];

test("runs are known on every row of keys, across them and in the alphabet", () => {
  for (const password of RUNS_OF_KEYS)
    expect([password, faultOf(password)]).toEqual([password, expect.stringMatching(/runs/)]);
});

test("what is wrong with a password is said at every length that the schema takes, counted in characters", () => {
  const issuesOf = (chosen: unknown) =>
    passwordIssues({ path: "password", chosen, owner: OWNER, isCommon: isCommonPassword });
  for (const digit of ["7", "\u{1d7d5}"])
    for (const length of [MIN_PASSWORD, MAX_PASSWORD])
      expect(issuesOf(digit.repeat(length))).toMatchObject([{ path: "password" }]);
  for (const refusedAnyway of [undefined, 12, "a".repeat(MIN_PASSWORD - 1), "a".repeat(MAX_PASSWORD + 1)])
    expect(issuesOf(refusedAnyway)).toEqual([]);
});
