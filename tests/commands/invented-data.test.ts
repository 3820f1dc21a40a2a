import { describe, expect, test } from "bun:test";
import { inventDealers, MAX_DEALERS } from "../../app/seed/dealers.ts";
import { imageUrlsOf } from "../../app/seed/images.ts";
import { MAKES } from "../../app/seed/makes.ts";
import { DAY_MS } from "../../app/seed/times.ts";
import { inventVehicles } from "../../app/seed/vehicles.ts";
import { checkDigitOf, yearCharacterOf } from "../../app/seed/vins.ts";
import { newDealer } from "../../core/dealers/dealer.ts";
import { Failure } from "../../core/failure.ts";
import { newImage } from "../../core/images/image.ts";
import { newVehicle, vehicleRules } from "../../core/vehicles/vehicle.ts";
import { fakeClock } from "../support/clock.ts";

/** The moment at which the invented data ends. */
const PRESENT = "2026-07-01T00:00:00.000Z";
const until = Date.parse(PRESENT);
const DEALERS = inventDealers({ seed: 1, count: 200, until });
const VEHICLES = [...inventVehicles({ seed: 1, count: 5000, dealers: DEALERS, until })];
const FIELDS = VEHICLES.map(({ fields }) => fields);

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

describe("the check digit of a VIN", () => {
  test.each(["1M8GDM9AXKP042788", "11111111111111111", "5GZCZ43D13S812715", "1HGCM82633A004352"])(
    "is as published for %s",
    (vin) => {
      expect(checkDigitOf(vin)).toBe(vin.charAt(8));
    },
  );

  test("changes with every digit of the serial number", () => {
    const vin = "1M8GDM9AXKP042788";
    for (let place = 11; place < vin.length; place++)
      for (const digit of "0123456789") {
        const other = vin.slice(0, place) + digit + vin.slice(place + 1);
        expect(checkDigitOf(other) === vin.charAt(8)).toBe(other === vin);
      }
  });
});

describe("invented vehicles", () => {
  test("are valid under the rules of the service", () => {
    for (const fields of FIELDS) {
      const { price } = fields;
      expect(newVehicle.parse({ ...fields, dealer_id: 1 }, vehicleRules(fakeClock(until)))).not.toBeInstanceOf(Failure);
      expect(Math.round(price * 100) / 100).toBe(price);
    }
  });

  test("have unique VINs of the make and model year, with a correct check digit", () => {
    for (const { vin, make, model, year } of FIELDS) {
      const made = MAKES.find(({ name }) => name === make)?.models.find(({ name }) => name === model);
      expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
      expect([vin?.slice(0, 3), vin?.charAt(8), vin?.charAt(9)]).toEqual([
        made?.wmi,
        checkDigitOf(vin ?? ""),
        yearCharacterOf(year),
      ]);
      expect(vin?.charAt(6)).toMatch(year >= 2010 ? /[A-Z]/ : /\d/);
    }
    expect(new Set(FIELDS.map(({ vin }) => vin)).size).toBe(FIELDS.length);
  });

  test.each([
    [1980, "A"],
    [2009, "9"],
    [2010, "A"],
    [2017, "H"],
    [2018, "J"],
    [2024, "R"],
    [2026, "T"],
  ])("of model year %d have the character %s", (year, character) => {
    expect(yearCharacterOf(year)).toBe(character);
  });

  test("come on sale in order over two years, and change only afterwards", () => {
    const moments = FIELDS.map(({ created_at }) => created_at);
    expect(moments).toEqual([...moments].sort());
    expect([moments[0]?.slice(0, 7), moments.at(-1)?.slice(0, 7)]).toEqual(["2024-07", "2026-06"]);
    for (const { created_at, updated_at, year } of FIELDS) {
      expect(updated_at >= created_at && updated_at <= PRESENT).toBe(true);
      expect(year).toBeLessThanOrEqual(Number(created_at.slice(0, 4)) + 1);
    }
  });

  test("are sold after some two months: the lot has all four ages and some reserved, and each month its sales", () => {
    const lot = FIELDS.filter(({ status }) => status !== "sold");
    expect([lot.length > FIELDS.length * 0.06, lot.length < FIELDS.length * 0.2]).toEqual([true, true]);
    const daysOf = ({ listed_at }: (typeof lot)[number]) => (until - Date.parse(listed_at ?? "")) / DAY_MS;
    for (const [from, to] of [
      [0, 30],
      [31, 60],
      [61, 90],
      [91, 1000],
    ] as const)
      expect(lot.filter((vehicle) => daysOf(vehicle) >= from && daysOf(vehicle) < to + 1).length).toBeGreaterThan(
        lot.length * 0.08,
      );
    const pending = lot.filter(({ status }) => status === "pending").length;
    expect([pending > lot.length * 0.03, pending < lot.length * 0.25]).toEqual([true, true]);
    const sold = FIELDS.flatMap(({ sold_at }) => (sold_at === null ? [] : [sold_at.slice(0, 7)]));
    const months = ["2025-07", "2025-12", "2026-05", "2026-06"].map(
      (month) => sold.filter((one) => one === month).length,
    );
    expect(Math.min(...months)).toBeGreaterThan(100);
  });

  test("have often had one reduction of the price, while they stood", () => {
    const repriced = FIELDS.filter(({ previous_price }) => previous_price !== null);
    expect(repriced.length).toBeGreaterThan(FIELDS.length * 0.3);
    for (const { price, previous_price, price_changed_at, created_at, updated_at } of repriced) {
      expect(previous_price).toBeGreaterThan(price);
      expect(previous_price).toBeLessThan(price * 1.2);
      expect([created_at, price_changed_at, updated_at].map(String).toSorted()).toEqual(
        [created_at, price_changed_at, updated_at].map(String),
      );
    }
  });

  test("cost less, and have more miles, the older they are", () => {
    const onSale = FIELDS.map((fields) => ({ ...fields, age: Number(fields.created_at.slice(0, 4)) - fields.year }));
    const used = (age: number) => onSale.filter((vehicle) => vehicle.condition !== "new" && vehicle.age === age);
    const prices = [1, 4, 7, 10].map((age) => average(used(age).map(({ price }) => price)));
    const miles = [1, 4, 7, 10].map((age) => average(used(age).map(({ mileage }) => mileage ?? 0)));
    expect(prices).toEqual([...prices].sort((one, other) => other - one));
    expect(miles).toEqual([...miles].sort((one, other) => one - other));
    for (const { condition, mileage } of FIELDS) if (condition === "new") expect(mileage).toBeLessThanOrEqual(60);
  });

  test("cover many values of each filter, and have images that the service accepts", () => {
    expect(new Set(FIELDS.map(({ make }) => make)).size).toBe(MAKES.length);
    expect(new Set(FIELDS.map(({ model }) => model)).size).toBeGreaterThan(100);
    for (const vehicle of VEHICLES.slice(0, 100))
      for (const image_url of imageUrlsOf(vehicle)) expect(newImage.parse({ image_url })).not.toBeInstanceOf(Failure);
  });

  test("are the same for the same seed, and different for another", () => {
    const some = (seed: number) =>
      JSON.stringify([
        ...inventVehicles({ seed, count: 50, dealers: inventDealers({ seed, count: 5, until }), until }),
      ]);
    expect(some(7)).toBe(some(7));
    expect(some(7)).not.toBe(some(8));
  });
});

describe("invented dealers", () => {
  test("are valid under the rules of the service", () => {
    for (const { fields } of DEALERS) expect(newDealer.parse(fields)).not.toBeInstanceOf(Failure);
  });

  test("have unique addresses, up to the greatest number of dealers", () => {
    const all = inventDealers({ seed: 3, count: MAX_DEALERS, until }).map(({ fields }) => fields);
    expect(new Set(all.map(({ email }) => email)).size).toBe(MAX_DEALERS);
    for (const { email, website, phone, zip } of all) {
      expect(email).toMatch(/^sales@[a-z0-9-]{1,63}\.example\.com$/);
      expect(website ?? "https://a.example.com").toMatch(/^https:\/\/[a-z0-9-]+\.example\.com$/);
      expect(phone).toMatch(/^\d{3}-555-01\d\d$/);
      expect(zip).toMatch(/^\d{5}$/);
    }
  });

  test("sell new vehicles of their own make only, and used ones of any", () => {
    for (const { dealer, fields } of VEHICLES)
      if (fields.condition !== "used" && fields.condition !== null)
        expect(fields.make).toBe(DEALERS[dealer]?.franchise?.name ?? "none");
  });
});
