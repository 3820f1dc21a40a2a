import { describe, expect, test } from "bun:test";
import { linkOf, linkTemplateFault } from "../../../core/channels/link-template.ts";
import { feedVehicle } from "./invented.ts";

describe("a link template", () => {
  for (const template of [
    "https://www.example.com/{stock_number}",
    "http://www.example.com/{year}/{make}/{model}?vin={vin}&store={store_code}",
    "https://www.example.com",
    "https://www.example.com:65535/@{make}?at=12:99999",
    "https://[2001:db8::1]/{id}",
  ])
    test(`may be ${template}`, () => {
      expect(linkTemplateFault(template)).toBeNull();
    });

  for (const template of [
    "",
    "www.example.com/{vin}",
    "javascript:alert({vin})",
    "https://{make}.example.com/",
    "https://www.example.com{id}",
    "https://www.example.com/{price}",
    "https://www.example.com/{}",
    "https://www.example.com/{vin",
    "https://www.example.com/vin}",
    "https://www.example.com/{{vin}}",
    "https://www.example.com/a b",
    `https://www.example.com/${"x".repeat(2048)}`,
  ])
    test(`may not be ${template.slice(0, 60)}`, () => {
      expect(linkTemplateFault(template)).toBeString();
    });

  for (const [template, fault] of [
    ["https://harbor:secret@www.example.com/{vin}", "must have no user or password in it"],
    ["https://harbor@www.example.com/{vin}", "must have no user or password in it"],
    ["https://www.example.com@evil.example.com", "must have no user or password in it"],
    ["https://www.example.com:65536/{vin}", "must have a port of up to 65535, or none"],
    ["https://www.example.com:99999?vin={vin}", "must have a port of up to 65535, or none"],
    ["https://www.example.com/\u202e{vin}", "must have no control characters"],
    ["https://www.example.com/\u2067{vin}", "must have no control characters"],
    ["https://www.exam\u200fple.com/{vin}", "must have no control characters"],
    ["https://www.example.com/\u0007{vin}", "must have no control characters"],
  ] as const)
    test(`may not be ${encodeURI(template)}, and the refusal says why`, () => {
      expect(linkTemplateFault(template)).toBe(fault);
    });

  test("names at most 16 fields", () => {
    const template = (fields: number) => `https://www.example.com/${"{id}".repeat(fields)}`;
    expect(linkTemplateFault(template(16))).toBeNull();
    expect(linkTemplateFault(template(17))).toBe("names 17 fields, but may name at most 16");
  });

  const { vehicle } = feedVehicle({ stock_number: "A/1 ?&#é", trim: null });

  test("encodes the values it is filled with, which cannot escape their place", () => {
    expect(linkOf("https://www.example.com/{stock_number}/{id}", vehicle, null)).toEqual({
      link: "https://www.example.com/A%2F1%20%3F%26%23%C3%A9/7",
    });
  });

  test("names the vehicle's missing fields", () => {
    expect(linkOf("https://www.example.com/{trim}/{id}/{store_code}", vehicle, { code: undefined })).toEqual({
      missing: ["trim", "store_code"],
    });
  });

  test("leaves the store code in place for a channel that fills it in by itself", () => {
    const template = "https://www.example.com/{id}?store={store_code}";
    expect(linkOf(template, vehicle, null)).toEqual({ link: "https://www.example.com/7?store={store_code}" });
    expect(linkOf(template, vehicle, { code: "H 1" })).toEqual({ link: "https://www.example.com/7?store=H%201" });
  });
});
