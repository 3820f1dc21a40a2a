import { describe, expect, test } from "bun:test";
import {
  newRecordsBelongToTheCallersDealer,
  newUserBelongsToTheCallersDealer,
} from "../../../../core/access/rules/new-records-belong-to-the-callers-dealer.ts";

type Dealer = number | null | undefined;
const ASKED: readonly (readonly [string, scope: number | null, asked: Dealer, dealer: Dealer])[] = [
  ["a bound caller that names its own", 7, 7, 7],
  ["a bound caller that names another", 7, 8, 7],
  ["a bound caller that names none", 7, undefined, 7],
  ["a bound caller that sends null", 7, null, 7],
  ["an unbound caller that names one", null, 8, 8],
  ["an unbound caller that names none", null, undefined, undefined],
  ["an unbound caller that sends null", null, null, null],
];

describe("the dealer of a new record", () => {
  for (const [name, scope, asked, dealer] of ASKED)
    test(`of ${name} is ${dealer}`, () => {
      expect(newRecordsBelongToTheCallersDealer(scope, asked)).toBe(dealer);
    });
});

const ASKED_OF_USERS: readonly (readonly [role: string, scope: number | null, asked: Dealer, dealer: Dealer])[] = [
  ["user", 7, 8, 7],
  ["dealer_admin", 7, undefined, 7],
  ["dealer_admin", null, 8, 8],
  ["super_admin", 7, null, null],
  ["super_admin", 7, undefined, undefined],
  ["super_admin", null, null, null],
];

describe("the dealer of a new user", () => {
  for (const [role, scope, asked, dealer] of ASKED_OF_USERS)
    test(`with the role ${role} is ${dealer} if a caller of dealer ${scope} asks for ${asked}`, () => {
      expect(newUserBelongsToTheCallersDealer(scope, role, asked)).toBe(dealer);
    });
});
