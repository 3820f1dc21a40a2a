import { describe, expect, test } from "bun:test";
import { keysNetworksAreNotWidened } from "../../../../core/access/rules/keys-networks-are-not-widened.ts";
import { causeOf } from "../../use-cases.ts";

const HELD = ["10.1.0.0/16", "2001:db8::/32"];
const CASES: readonly (readonly [
  string,
  held: readonly string[] | undefined,
  wanted: readonly string[] | null,
  boolean,
])[] = [
  ["a caller without networks that names none", undefined, null, true],
  ["a caller without networks that names some", undefined, ["192.0.2.0/24"], true],
  ["a caller that names its own", HELD, HELD, true],
  ["a caller that names parts of its own", HELD, ["10.1.7.0/24", "2001:db8:1::/48"], true],
  ["a caller that names none", HELD, null, false],
  ["a caller that names a wider one", HELD, ["10.0.0.0/8"], false],
  ["a caller that names another one besides", HELD, ["10.1.0.0/16", "10.2.0.0/16"], false],
  ["a caller that names another one of the other version", HELD, ["2001:db9::/32"], false],
];
const reason = "It could be used from networks from which your key cannot";

describe("a key's networks are not widened", () => {
  for (const [name, held, wanted, allowed] of CASES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      const caller = held === undefined ? {} : { allowedNetworks: held };
      expect(causeOf(keysNetworksAreNotWidened(caller, wanted))).toEqual(
        allowed ? null : { kind: "escalation", reason },
      );
    });
});
