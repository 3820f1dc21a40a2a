import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clientAddress, limitedAddress } from "../../../../adapters/http/protocol/addresses.ts";

const PEER = "192.0.2.1";
const ipv4 = fc.ipV4();
const chain = fc.array(ipv4, { minLength: 1, maxLength: 6 });

describe("the client address without a trusted proxy", () => {
  test("is the connection's, whatever X-Forwarded-For claims", () => {
    fc.assert(
      fc.property(ipv4, fc.option(fc.string(), { nil: null }), (peer, claimed) => {
        expect(clientAddress(peer, claimed, 0)).toBe(peer);
      }),
    );
  });

  test("is shared by all clients whose address is unknown", () => {
    expect(clientAddress(null, "198.51.100.7", 0)).toBe("");
  });
});

describe("the client address behind trusted proxies", () => {
  for (const [hops, forwardedFor, client] of [
    [1, "198.51.100.7", "198.51.100.7"],
    [1, "203.0.113.9, 198.51.100.7", "198.51.100.7"],
    [2, "203.0.113.9, 198.51.100.7, 10.0.0.5", "198.51.100.7"],
    [3, "203.0.113.9, 198.51.100.7, 10.0.0.5", "203.0.113.9"],
    [1, "203.0.113.9,198.51.100.7", "198.51.100.7"],
    [1, "  203.0.113.9 ,  198.51.100.7  ", "198.51.100.7"],
    [5, "203.0.113.9, 198.51.100.7", "203.0.113.9"],
    [1, null, PEER],
  ] as const)
    test(`is ${client} with ${hops} of them and X-Forwarded-For ${forwardedFor}`, () => {
      expect(clientAddress(PEER, forwardedFor, hops)).toBe(client);
    });

  test("does not depend on what a client puts in front of the chain", () => {
    fc.assert(
      fc.property(chain, fc.array(fc.oneof(ipv4, fc.string(), fc.ipV6()), { maxLength: 5 }), (proxies, forged) => {
        const honest = clientAddress(PEER, proxies.join(", "), proxies.length);
        expect(honest).toBe(proxies[0] ?? "");
        expect(clientAddress(PEER, [...forged, ...proxies].join(", "), proxies.length)).toBe(honest);
      }),
    );
  });

  test("is counted from the right end of the chain", () => {
    fc.assert(
      fc.property(chain, fc.integer({ min: 1, max: 6 }), (proxies, hops) => {
        const expected = proxies[Math.max(0, proxies.length - hops)] ?? "";
        expect(clientAddress(PEER, proxies.join(", "), hops)).toBe(expected);
      }),
    );
  });
});

/** The subject under which requests of an address are counted. */
const countedAs = (...seen: Parameters<typeof clientAddress>): string => limitedAddress(clientAddress(...seen));

describe("an address", () => {
  test("is recorded whole, including the host part of IPv6", () => {
    expect(clientAddress("2001:db8:1:2:3:4:5:6", null, 0)).toBe("2001:db8:1:2:3:4:5:6");
    expect(clientAddress(PEER, "[2001:db8::7]:443", 1)).toBe("2001:db8::7");
  });

  for (const [name, address, client] of [
    ["an IPv4 address", "198.51.100.7", "198.51.100.7"],
    ["an IPv4 address with a port", "198.51.100.7:51234", "198.51.100.7"],
    ["an IPv4 address mapped into IPv6", "::ffff:198.51.100.7", "198.51.100.7"],
    ["a mapped address in capitals", "::FFFF:198.51.100.7", "198.51.100.7"],
    ["an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["an IPv6 address in brackets", "[2001:db8:1:2:3:4:5:6]", "2001:db8:1:2::/64"],
    ["an IPv6 address in brackets with a port", "[2001:db8:1:2:3:4:5:6]:443", "2001:db8:1:2::/64"],
    ["an IPv6 address with zeros left out at the end", "2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["an IPv6 address with zeros left out across its network's end", "2001:db8::5", "2001:db8:0:0::/64"],
    ["an IPv6 address with zeros left out in its network", "2001::3:4:5:6:7", "2001:0:0:3::/64"],
    ["an IPv6 address with zeros left out at the start", "::5", "0:0:0:0::/64"],
    ["the unspecified IPv6 address", "::", "0:0:0:0::/64"],
    ["text that is no address", "unknown", "unknown"],
  ] as const)
    test(`such as ${name} is limited as ${client}`, () => {
      expect(countedAs(address, null, 0)).toBe(client);
      expect(countedAs(PEER, address, 1)).toBe(client);
    });

  test("of one customer's IPv6 network is limited as one, written short or long, and another network's separately", () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16));
    const groups = fc.array(group, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(groups, groups, groups, (network, host, otherHost) => {
        const client = countedAs([...network, ...host].join(":"), null, 0);
        expect(countedAs([...network, ...otherHost].join(":"), null, 0)).toBe(client);
        expect(countedAs(`${network.join(":")}::${host[0]}`, null, 0)).toBe(client);
        const [first = "", ...others] = network;
        const neighbour = [first === "ffff" ? "fffe" : "ffff", ...others];
        expect(countedAs([...neighbour, ...host].join(":"), null, 0)).not.toBe(client);
      }),
    );
  });

  test("with zeros left out as `::` is limited like the full form", () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const run = fc.record({ from: fc.integer({ min: 0, max: 7 }), length: fc.integer({ min: 1, max: 8 }) });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), run, (groups, { from, length }) => {
        const until = Math.min(8, from + length);
        const full = groups.map((text, index) => (index >= from && index < until ? "0" : text));
        const short = `${full.slice(0, from).join(":")}::${full.slice(until).join(":")}`;
        expect([short, countedAs(short, null, 0)]).toEqual([short, countedAs(full.join(":"), null, 0)]);
      }),
    );
  });

  test("never takes more than 70 characters, whatever was sent", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 5000, size: "max" }),
          fc.stringMatching(/^[0-9a-f:[\]]{0,5000}$/, { size: "max" }),
          fc.stringMatching(/^(::ffff:)?\d{1,5000}\.1\.1\.1(:1)?$/, { size: "max" }),
        ),
        (sent) => {
          expect(countedAs(PEER, sent, 1).length).toBeLessThanOrEqual(70);
        },
      ),
    );
  });
});
