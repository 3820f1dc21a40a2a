import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Resolve } from "../../../adapters/egress/target.ts";
import type { EgressFailure } from "../../../core/egress/egress.ts";
import { clientOf, closeServers, fetched, LOOPBACK, listening, MOST_BYTES, plain } from "./servers.ts";

afterEach(closeServers);

describe("a refused address gets no request:", () => {
  let port = 0;
  let requests: readonly unknown[] = [];
  beforeEach(async () => {
    const made = listening();
    requests = made.requests;
    port = await plain(made.listener);
  });

  // [what it is, address with PORT, what its name resolves to].
  const REFUSED: readonly (readonly [what: string, url: string, resolved: readonly string[]])[] = [
    ["the loopback address", "http://127.0.0.1:PORT/", []],
    ["an address as one number", "http://2130706433:PORT/", []],
    ["an address in hexadecimal", "http://0x7f000001:PORT/", []],
    ["an address in octal", "http://0177.0.0.1:PORT/", []],
    ["an address with omitted parts", "http://127.1:PORT/", []],
    ["an address in other digits", "http://①②⑦.⓪.⓪.①:PORT/", []],
    ["an address with a trailing dot", "http://127.0.0.1.:PORT/", []],
    ["the address of only zeros", "http://0:PORT/", []],
    ["an IPv6 loopback address", "http://[::1]:PORT/", []],
    ["an IPv4 address mapped to IPv6", "http://[::ffff:127.0.0.1]:PORT/", []],
    ["an IPv4 address mapped to IPv6, in hexadecimal", "http://[::ffff:7f00:1]:PORT/", []],
    ["a NAT64 address", "http://[64:ff9b::127.0.0.1]:PORT/", []],
    ["a 6to4 address", "http://[2002:7f00:1::]:PORT/", []],
    ["an address with a zone", "http://[fe80::1%25lo]:PORT/", []],
    ["a cloud's metadata service", "http://169.254.169.254/latest/meta-data/", []],
    ["a name of an inner address", "https://inside.example.com:PORT/", ["127.0.0.1"]],
    ["a name with a trailing dot", "https://inside.example.com.:PORT/", ["127.0.0.1"]],
    ["a name with an inner second address", "https://inside.example.com:PORT/", ["93.184.216.34", "10.0.0.1"]],
    ["a name of an address with a zone", "https://inside.example.com:PORT/", ["fe80::1%lo"]],
    ["a host without TLS", "http://outside.example.com/", ["93.184.216.34"]],
    ["an address with a user and a password", "http://user:word@127.0.0.1:PORT/", []],
    ["an address with a host as the user", "https://files.example.com@127.0.0.1:PORT/", []],
    ["a file", "file:///etc/passwd", []],
    ["gopher", "gopher://127.0.0.1:PORT/", []],
    ["data", "data:text/csv,a", []],
    ["text that is no address", "//127.0.0.1:PORT/", []],
    ["an address without a host", "https://", []],
  ];

  for (const [what, url, resolved] of REFUSED)
    test(`${what}: ${url}`, async () => {
      const options = { allow: [], resolve: async () => resolved };
      expect(await fetched({ url: url.replace("PORT", String(port)) }, options)).toMatchObject({
        problem: "address_refused",
      });
      expect(requests).toEqual([]);
    });

  // [what, its address, what it must be; `null` if only a look-up tells].
  const AT_ONCE: readonly (readonly [what: string, url: string, refusal: RegExp | null, allow?: readonly string[]])[] =
    [
      ["an address of this machine", "https://127.0.0.1/", /^must not lead to 127\.0\.0\.1, which is this machine/],
      ["an address of this machine as one number", "https://2130706433/", /which is this machine/],
      [
        "an address of version 6 of this machine",
        "https://[::1]:8443/",
        /^must not lead to ::1, which is this machine/,
      ],
      ["one in another form", "https://[::ffff:10.0.0.1]/", /which is an address of version 4 in another form/],
      ["a private network", "https://10.1.2.3/", /which is a private network/],
      ["a private network that is allowed", "http://10.1.2.3/", null, ["10.0.0.0/8"]],
      ["a private network beside an allowed one", "https://10.1.2.3/", /which is a private network/, ["10.2.0.0/16"]],
      ["a public address without TLS", "http://8.8.8.8/", /^must be an https address/, ["10.0.0.0/8"]],
      ["a public address", "https://8.8.8.8/", null],
      ["a name without TLS", "http://files.example.com/", /^must be an https address/],
      ["a name without TLS that may be in an allowed network", "http://files.example.com/", null, ["10.0.0.0/8"]],
      ["a name of this machine", "https://localhost/", /localhost, which is this machine; EGRESS_ALLOW/],
      ["another name of this machine", "https://inventory.LOCALHOST./", /which is this machine/],
      ["a name of this machine, where it is allowed", "http://localhost/", null, ["127.0.0.0/8"]],
      ["a name that only looks like one", "https://notlocalhost/", null],
      ["another scheme", "ftp://files.example.com/lot.csv", /nothing is fetched by ftp$/],
      ["no address", "//files.example.com/", null],
    ];
  for (const [what, url, refusal, allow = []] of AT_ONCE)
    test(`${refusal === null ? "only when it is fetched, if at all" : "before it is fetched"}: ${what}`, () => {
      const resolve: Resolve = () => {
        throw new Error("a name was looked up");
      };
      const found = clientOf({ allow, resolve }).refusal(url);
      if (refusal === null) expect(found).toBeNull();
      else expect(found).toMatch(refusal);
    });

  test("an address with a user or a password, also in an allowed network", async () => {
    for (const who of ["user@", ":word@", "user:word@"])
      expect(await fetched({ url: `http://${who}${LOOPBACK}:${port}/` })).toMatchObject({ problem: "address_refused" });
    expect(requests).toEqual([]);
  });

  test("every address outside an allowed block, also without TLS", async () => {
    const url = `http://127.0.0.1:${port}/`;
    expect(await fetched({ url }, { allow: ["127.0.0.0/30"] })).toMatchObject({ status: 200 });
    expect(await fetched({ url }, { allow: ["127.0.0.2", "10.0.0.0/8"] })).toMatchObject({
      problem: "address_refused",
    });
    expect(requests).toHaveLength(1);
  });

  test("an unknown host name, which is reported", async () => {
    const none: Resolve = async () => {
      throw new Error("ENOTFOUND");
    };
    const url = "https://nowhere.example.com/";
    expect(await fetched({ url }, { resolve: none })).toMatchObject({ problem: "address_unknown" });
    expect(await fetched({ url }, { resolve: async () => [] })).toMatchObject({ problem: "address_unknown" });
  });

  test("an unknown name and a name of any refused network give the same message, and only the detail tells them apart", async () => {
    const url = "https://inside.example.com/";
    const failures: EgressFailure[] = [];
    for (const resolve of [
      () => Promise.reject(new Error("ENOTFOUND")),
      async () => [],
      async () => ["10.0.0.7"],
      async () => ["169.254.169.254"],
      async () => ["fd00::1"],
      async () => ["192.0.2.1", "93.184.216.34"],
    ])
      failures.push(
        await clientOf({ allow: [], resolve })
          .get({ url, maxBytes: MOST_BYTES })
          .catch((error) => error),
      );
    expect(new Set(failures.map(({ message }) => message))).toEqual(
      new Set(["inside.example.com may not be fetched from: no public address is known for it"]),
    );
    expect(failures.map(({ detail }) => detail?.split(";")[0])).toEqual([
      ...Array(2).fill("no machine is known by its name"),
      ...["a private network", "a link-local network", "a private network", "for documentation"].map(
        (network) => `its address is ${network}`,
      ),
    ]);
  });
});
