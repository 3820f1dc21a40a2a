import { describe } from "bun:test";
import { type Case, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const PATH = "/api/vin/1HGBH41JXMN109186";
const HONDA = { vin: "1HGBH41JXMN109186", valid: true, year: 1991, make: "Honda", makes: ["Honda"], issues: [] };

const CASES: readonly Case[] = [
  { name: "decodes a VIN for every key", send: `GET ${PATH}`, status: 200, has: HONDA },
  {
    name: "decodes a VIN even for a key without any permission",
    send: `GET ${PATH}`,
    by: "powerless",
    status: 200,
    has: HONDA,
  },
  {
    name: "ignores the case of letters",
    send: "GET /api/vin/1hgbh41jxmn109186",
    status: 200,
    has: HONDA,
  },
  {
    name: "reports a wrong check digit as an issue, not as an error",
    send: "GET /api/vin/1HGCM82633A123456",
    status: 200,
    has: { valid: false, check_digit: { ok: false, expected: "7" }, issues: [{ code: "check_digit" }] },
  },
  {
    name: "reports a text that is no VIN as an issue, not as an error",
    send: "GET /api/vin/%3Cb%3E",
    status: 200,
    has: { valid: false, check_digit: null, year: null, make: null, makes: [] },
  },
  {
    name: "refuses a text of more than 64 characters with a 400 that names it",
    send: `GET /api/vin/${"1".repeat(65)}`,
    status: 400,
    code: "invalid_input",
    faults: ["vin"],
  },
  { name: "needs a key", send: `GET ${PATH}`, by: null, status: 401, code: "api_key_missing" },
  { name: "accepts only GET", send: `DELETE ${PATH}`, status: 405, gives: { allow: /GET/ } },
];

for (const engine of ANSWERING)
  describe(`the VIN decoder on ${engine.name}`, () => {
    testCases(serviceFixture(engine), CASES);
  });
