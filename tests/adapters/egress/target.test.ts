import { describe, expect, test } from "bun:test";
import { permittedAddresses, targetOf } from "../../../adapters/egress/target.ts";
import { networkOf } from "../../../core/egress/networks.ts";

describe("the addresses of a host", () => {
  const allowed = ["10.0.0.0/8"].flatMap((text) => networkOf(text) ?? []);
  const foundFor = (url: string, found: readonly string[]) =>
    permittedAddresses(allowed, async () => found)(targetOf(url)).catch((error) => error.problem);

  test("are reached without TLS if all of them are in an allowed network, and with TLS also if they are public", async () => {
    const mixed = ["10.0.0.1", "8.8.8.8"];
    expect(await foundFor("http://files.example.com/", ["10.0.0.1", "10.0.0.2"])).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(await foundFor("http://files.example.com/", mixed)).toBe("address_refused");
    expect(await foundFor("https://files.example.com/", mixed)).toEqual(mixed);
  });

  test("are four at most, those of version 4 first", async () => {
    const found = ["2606:4700::1", "8.8.8.8", "2606:4700::2", "8.8.4.4", "1.1.1.1"];
    expect(await foundFor("https://files.example.com/", found)).toEqual([
      ...["8.8.8.8", "8.8.4.4", "1.1.1.1"],
      "2606:4700::1",
    ]);
  });

  test("are asked at the port that the address names, or at the usual one", () => {
    const ports = ["https://a.example.com/", "http://a.example.com/", "http://a.example.com:8080/"];
    expect(ports.map((url) => targetOf(url).port)).toEqual([443, 80, 8080]);
  });
});
