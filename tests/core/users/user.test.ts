import { describe, expect, test } from "bun:test";
import { stateOfUser } from "../../../core/users/state.ts";
import {
  NewUser,
  newUser,
  principalOfUser,
  roleIssues,
  UserChanges,
  UserQuery,
  userChanges,
} from "../../../core/users/user.ts";
import { validator } from "../../../core/validation.ts";
import {
  EMAIL,
  type FieldRule,
  FLAG_OR_BIT,
  ID,
  PERMISSION_LIST,
  requiredTextOf,
  testBody,
  wordOf,
} from "../field-rules.ts";
import { newUserBody, pathsOf } from "../use-cases.ts";
import { person } from "./user-records.ts";

const FIELDS: Readonly<Record<string, FieldRule>> = {
  name: requiredTextOf(100),
  email: EMAIL,
  role: wordOf("super_admin", "dealer_admin", "user"),
  dealer_id: ID,
  permissions: PERMISSION_LIST,
  active: FLAG_OR_BIT,
};

const REQUIRED = ["name", "email", "role"];
const READ_ONLY = ["id", "invited", "created_at", "updated_at", "dealer_name"];

testBody("a new user", {
  parse: (input) => newUser.parse(input),
  schema: NewUser,
  base: newUserBody("robin@harbor.example.com"),
  fields: FIELDS,
  required: REQUIRED,
  notNull: ["permissions", "active"],
  readOnly: READ_ONLY,
});

testBody("a change of a user", {
  parse: (input) => userChanges.parse(input),
  schema: UserChanges,
  base: {},
  fields: { ...FIELDS, rotate_keys: FLAG_OR_BIT },
  required: [],
  notNull: [...REQUIRED, "permissions", "active", "rotate_keys"],
  readOnly: READ_ONLY,
});

describe("the state of a user", () => {
  for (const [active, invited, state] of [
    [true, false, "active"],
    [true, true, "invited"],
    [false, false, "inactive"],
    [false, true, "inactive"],
  ] as const)
    test(`is ${state} when ${active ? "active" : "deactivated"} and ${invited ? "invited" : "not invited"}`, () => {
      expect(stateOfUser({ active, invited })).toBe(state);
    });
});

describe("a role and a dealer", () => {
  for (const [role, dealerId, fits] of [
    ["dealer_admin", 7, true],
    ["dealer_admin", null, false],
    ["dealer_admin", undefined, false],
    ["super_admin", null, true],
    ["super_admin", undefined, true],
    ["super_admin", 7, false],
    ["user", 7, true],
    ["user", null, true],
    ["user", undefined, true],
  ] as const)
    test(`${role} with dealer ${dealerId}: ${fits ? "fits" : "is refused"}`, () => {
      expect(roleIssues(role, dealerId).map(({ path }) => path)).toEqual(fits ? [] : ["dealer_id"]);
    });
});

test("a session acts for its user, unless the user is deactivated or an admin of no dealer", () => {
  expect(principalOfUser(person(), 3)).toMatchObject({
    via: "portal",
    keyId: null,
    userId: 5,
    dealerId: 1,
    role: "user",
  });
  expect(principalOfUser(person({ role: "dealer_admin" }), 3)).toMatchObject({ role: "dealer_admin" });
  expect(principalOfUser(person({ active: false }), 3)).toBeNull();
  expect(principalOfUser(person({ role: "dealer_admin", dealerId: null }), 3)).toBeNull();
});

test("a list of users is sorted by each of its fields, and by no other", () => {
  const query = validator(UserQuery);
  for (const sort of ["created", "updated", "name", "email", "role"]) expect(pathsOf(query.parse({ sort }))).toBeNull();
  expect(pathsOf(query.parse({ sort: "password" }))).toEqual(["sort"]);
});
