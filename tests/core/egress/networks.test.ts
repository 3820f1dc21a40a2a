import { describe, expect, test } from "bun:test";
import { BlockList } from "node:net";
import fc from "fast-check";
import { targetFailure } from "../../../core/egress/egress.ts";
import {
  isClientWithin,
  isPartOf,
  isWithin,
  networkOf,
  REFUSED_NETWORKS,
  refusalOf,
} from "../../../core/egress/networks.ts";

const V4 = fc.ipV4();
const V6 = fc.ipV6();

describe("an address is refused", () => {
  // [address, what it is].
  const REFUSED = [
    ["0.0.0.0", "this machine"],
    ["0.1.2.3", "this machine"],
    ["10.0.0.1", "a private network"],
    ["10.255.255.255", "a private network"],
    ["100.64.0.1", "a provider's own network"],
    ["100.100.100.200", "a provider's own network"],
    ["127.0.0.1", "this machine"],
    ["127.255.255.254", "this machine"],
    ["168.63.129.16", "a cloud's own service"],
    ["169.254.169.254", "a link-local network"],
    ["172.16.0.1", "a private network"],
    ["172.31.255.255", "a private network"],
    ["192.0.0.192", "reserved"],
    ["192.168.1.1", "a private network"],
    ["192.0.2.1", "for documentation"],
    ["192.88.99.1", "a relay to other networks"],
    ["198.19.255.255", "for measurements"],
    ["198.51.100.9", "for documentation"],
    ["203.0.113.7", "for documentation"],
    ["224.0.0.1", "a group of machines"],
    ["239.255.255.255", "a group of machines"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["::", "this machine"],
    ["::1", "this machine"],
    ["0:0:0:0:0:0:0:1", "this machine"],
    ["::7f00:1", "reserved"],
    ["::127.0.0.1", "reserved"],
    ["::ffff:127.0.0.1", "an address of version 4 in another form"],
    ["::ffff:7f00:1", "an address of version 4 in another form"],
    ["::FFFF:8.8.8.8", "an address of version 4 in another form"],
    ["64:ff9b::7f00:1", "an address of version 4 in another form"],
    ["64:ff9b:1::a00:1", "an address of version 4 in another form"],
    ["2002:7f00:1::", "an address of version 4 in another form"],
    ["2001:0:53aa:64c:0:0:80ff:fffe", "an address of version 4 in another form"],
    ["2001:db8::1", "for documentation"],
    ["2001:10::1", "reserved"],
    ["3fff::1", "for documentation"],
    ["4000::1", "reserved"],
    ["8000::1", "reserved"],
    ["f000::1", "reserved"],
    ["5f00::1", "reserved"],
    ["fc00::1", "a private network"],
    ["fd00:ec2::254", "a private network"],
    ["fe80::1", "a link-local network"],
    ["fec0::1", "a private network"],
    ["ff02::1", "a group of machines"],
    // No resolver writes these; whatever reads them otherwise than we do must not get them.
    ["127.1", "not an address"],
    ["2130706433", "not an address"],
    ["0x7f.0.0.1", "not an address"],
    ["0177.0.0.1", "not an address"],
    ["08.8.8.8", "not an address"],
    ["fe80::1%eth0", "not an address"],
    ["2606:4700::1%1", "not an address"],
    ["[::1]", "not an address"],
    ["1.2.3.4.", "not an address"],
    ["1::2::3", "not an address"],
    ["1:2:3:4:5:6:7:8::", "not an address"],
    ["1:2:3:4:5:6:7", "not an address"],
    ["1:2:3:4:5:6:7:g", "not an address"],
    ["g::1", "not an address"],
    ["::1.2.3.4:1", "not an address"],
    ["", "not an address"],
    ["example.com", "not an address"],
  ] as const;

  for (const [address, what] of REFUSED)
    test(`${address || "(nothing)"}, as it is ${what}`, () => {
      expect(refusalOf(address, [])).toBe(what);
    });
});

describe("an address may be connected to", () => {
  const OPEN =
    "8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 11.0.0.1 126.255.255.255 128.0.0.1 169.253.0.1 192.169.0.1 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001::8a 2003::1 2001:4860:4860::8888 2a00:1450:1:2:3:4:5::";
  for (const address of OPEN.split(" "))
    test(address, () => {
      expect(refusalOf(address, [])).toBeNull();
    });
});

const listOf = (texts: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of texts) {
    const [address = "", bits = ""] = text.split("/");
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
};

test("every IPv4 address is refused exactly when another implementation finds it in the table", () => {
  const list = listOf(REFUSED_NETWORKS.map(([text]) => text).filter((text) => !text.includes(":")));
  fc.assert(
    fc.property(V4, (address) => {
      expect(refusalOf(address, []) !== null).toBe(list.check(address, "ipv4"));
    }),
    { numRuns: 2000 },
  );
});

test("no IPv6 address outside 2000::/3 may be connected to", () => {
  const list = listOf(["2000::/3"]);
  fc.assert(
    fc.property(V6, (address) => {
      expect(refusalOf(address, []) !== null || list.check(address, "ipv6")).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

describe("an allowed network", () => {
  test("opens its addresses and no others", () => {
    const allowed = ["10.1.0.0/16", "::1", "fd00:1::/32"].flatMap((text) => networkOf(text) ?? []);
    expect(allowed).toHaveLength(3);
    const opened = ["10.1.2.3", "::1", "fd00:1::5"];
    const closed = ["10.2.0.1", "::2", "fd00:2::5", "127.0.0.1", "::ffff:10.1.2.3"];
    expect(opened.map((address) => refusalOf(address, allowed))).toEqual([null, null, null]);
    expect(closed.filter((address) => refusalOf(address, allowed) === null)).toEqual([]);
    expect(opened.every((address) => isWithin(address, allowed))).toBe(true);
    expect([...closed, "no address"].some((address) => isWithin(address, allowed))).toBe(false);
  });

  for (const text of [
    "10.1.0.0/15",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "::/129",
    "fd00::1/64",
    "10.0.0.0/08",
    "*",
    "localhost",
    "",
  ])
    test(`may not be written as ${text || "nothing"}`, () => {
      expect(networkOf(text)).toBeNull();
    });
});

test("an address that must not be fetched is a fault of the field url, with what it must be", () => {
  const refusing = { refusal: (address: string) => (address.endsWith(".example.com") ? null : "must be public") };
  expect(targetFailure(refusing, "https://files.example.com")).toBeNull();
  expect(targetFailure(refusing, "https://10.0.0.1")?.cause).toEqual({
    kind: "target-refused",
    issue: { path: "url", message: "must be public" },
  });
});

const networks = (...texts: readonly string[]) =>
  texts.map((text) => {
    const network = networkOf(text);
    if (network === null) throw new Error(`${text} is no network`);
    return network;
  });

describe("a client", () => {
  const [allowed, ofSix] = [networks("203.0.113.0/24", "192.0.2.0/24"), networks("::/0")];
  for (const [address, isAllowed, isOfSix] of [
    ["192.0.2.7", true, false],
    ["::ffff:192.0.2.7", true, false],
    ["::ffff:c000:207", true, false],
    ["::fffe:192.0.2.7", false, true],
    ["::192.0.2.7", false, true],
    ["2001:db8::1", false, true],
    ["198.51.100.7", false, false],
    ["::ffff:198.51.100.7", false, false],
    ["no address", false, false],
  ] as const)
    test(`at ${address} is ${isAllowed ? "within" : "outside"} a network of version 4, and ${isOfSix ? "of" : "not of"} version 6`, () => {
      expect([isClientWithin(address, allowed), isClientWithin(address, ofSix)]).toEqual([isAllowed, isOfSix]);
    });
});

test("a network is part of itself and of wider ones around it, and of no other", () => {
  const of = (inner: string, outer: string) => {
    const [one, other] = networks(inner, outer);
    return one !== undefined && other !== undefined && isPartOf(one, other);
  };
  const parts = [of("10.1.0.0/16", "10.1.0.0/16"), of("10.1.0.0/16", "10.0.0.0/8"), of("10.1.2.3", "10.1.0.0/16")];
  const others = [of("10.0.0.0/8", "10.1.0.0/16"), of("10.0.0.0/8", "10.0.0.0/16"), of("11.1.0.0/16", "10.0.0.0/8")];
  expect([parts, others]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});
