import { describe, expect, test } from "bun:test";
import type { FeedSettings } from "../../../core/channels/channel.ts";
import { CHANNELS } from "../../../core/channels/channels.ts";
import { channelRow, feedRows, NOT_REPEATED } from "../../../core/channels/feed-rows.ts";
import { CHANNEL_NAMES, type ChannelName } from "../../../core/channels/titles.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { feedVehicle, SETTINGS } from "./invented.ts";

interface Change {
  readonly vehicle?: Partial<Vehicle>;
  readonly settings?: Partial<FeedSettings>;
  readonly images?: readonly string[];
}

/** Settings that the channel is content with: Google's ads fill in the store code by themselves. */
const settingsOf = (channel: ChannelName): FeedSettings =>
  channel === "google_vehicle_ads"
    ? { ...SETTINGS, link_template: `${SETTINGS.link_template}?store={store_code}` }
    : SETTINGS;

const rowOf = (channel: ChannelName, { vehicle, settings, images }: Change = {}) =>
  channelRow(
    channel,
    { ...feedVehicle(vehicle, images), settings: { ...settingsOf(channel), ...settings } },
    NOT_REPEATED,
  );

/** The row as an object, without empty cells; `null` if it is left out. */
const written = (channel: ChannelName, change: Change = {}) => {
  const { cells } = rowOf(channel, change);
  return (
    cells &&
    Object.fromEntries(
      CHANNELS[channel].fields
        .map(({ heading }, place) => [heading, cells[place]])
        .filter(([, cell]) => cell !== null && cell !== ""),
    )
  );
};

const found = (channel: ChannelName, change: Change = {}): string[] =>
  rowOf(channel, change).issues.map(({ rule, severity, field }) => `${severity} ${rule} ${field}`);

const OTHERS = [2, 3, 4, 5].map((place) => `https://images.example.com/${place}.jpg`);

test("a dealer without a store code in the feed has the one of its codes, which the feed's takes precedence over", () => {
  const entry = feedVehicle();
  const withCodes = { ...entry, dealer: { ...entry.dealer, codes: ["42", "google:Own-7"] } };
  const codeIn = (store_codes: FeedSettings["store_codes"]) =>
    channelRow("google_vehicle_listings", { ...withCodes, settings: { ...SETTINGS, store_codes } }, NOT_REPEATED)
      .cells?.[0];
  expect([codeIn({}), codeIn({ 3: "" }), codeIn({ 3: "Feed-1" }), codeIn({ 4: "x" })]).toEqual([
    ...["Own-7", "Own-7", "Feed-1", "Own-7"],
  ]);
});

describe("a vehicle without faults", () => {
  for (const channel of CHANNEL_NAMES)
    test(`has no issue for ${channel}`, () => {
      expect(found(channel)).toEqual([]);
    });

  test("is written as Google's listings require", () => {
    expect(written("google_vehicle_listings")).toEqual({
      store_code: "Harbor-01",
      id: "A-1042",
      vin: "1HGBH41JXMN109186",
      year: 1991,
      make: "Honda",
      model: "Accord",
      trim: "EX",
      mileage: "2333 miles",
      condition: "used",
      price: "10499 USD",
      dealership_name: "Harbor Motors",
      dealership_address: "12 Quay Street, Portland, OR 97201, US",
      tracking_phone_number: "503-555-0142",
      link: "https://harbor.example.com/cars/A-1042",
      image_link: "https://images.example.com/1.jpg",
      additional_image_link: OTHERS,
      date_in_stock: "2026-03-31",
      certified_pre_owned: "no",
    });
  });

  test("is written as Google's ads require, with the store code left to them", () => {
    const settings = { link_template: "https://harbor.example.com/{vin}?store={store_code}" };
    expect(written("google_vehicle_ads", { settings })).toEqual({
      VIN: "1HGBH41JXMN109186",
      store_code: "Harbor-01",
      link_template: "https://harbor.example.com/1HGBH41JXMN109186?store={store_code}",
      make: "Honda",
      model: "Accord",
      trim: "EX",
      year: 1991,
      mileage: "2333 miles",
      price: "10499 USD",
      condition: "used",
      "certified_pre-owned": "no",
      body_style: "Sedan",
      color: "Black",
      image_link: "https://images.example.com/1.jpg",
      additional_image_link: OTHERS,
      vehicle_fulfillment: "in_store:Harbor-01",
    });
  });

  test("is written as Meta requires, and TikTok has Meta's fields", () => {
    const vehicle = { transmission: "8-Speed Automatic", fuel_type: "Gas", drivetrain: "Front wheel drive" };
    expect(written("meta", { vehicle })).toEqual({
      vehicle_id: "7",
      title: "1991 Honda Accord",
      description: "One owner, always garaged, with all of its papers.",
      url: "https://harbor.example.com/cars/A-1042",
      make: "Honda",
      model: "Accord",
      year: 1991,
      "mileage.value": 2333,
      "mileage.unit": "MI",
      "image[0].url": "https://images.example.com/1.jpg",
      ...Object.fromEntries(OTHERS.map((address, place) => [`image[${place + 1}].url`, address])),
      body_style: "SEDAN",
      price: "10499 USD",
      exterior_color: "Black",
      state_of_vehicle: "Used",
      trim: "EX",
      vin: "1HGBH41JXMN109186",
      transmission: "AUTOMATIC",
      fuel_type: "GASOLINE",
      drivetrain: "FWD",
      availability: "AVAILABLE",
      date_first_on_lot: "2026-03-31",
    });
    expect(written("tiktok", { vehicle })).toEqual(written("meta", { vehicle }));
  });

  test("is written as Snapchat requires", () => {
    expect(written("snapchat")).toEqual({
      id: "7",
      title: "1991 Honda Accord",
      description: "One owner, always garaged, with all of its papers.",
      link: "https://harbor.example.com/cars/A-1042",
      image_link: "https://images.example.com/1.jpg",
      availability: "in stock",
      price: "10499 USD",
      condition: "used",
      brand: "Honda",
      color: "Black",
    });
  });
});

const GOOGLE = ["google_vehicle_listings", "google_vehicle_ads"] as const;
const CATALOGS = ["meta", "tiktok", "snapchat"] as const;
const SITES = [...GOOGLE, ...CATALOGS] as const;

// [what is changed, channels, the issues].
const RULES: readonly (readonly [name: string, Change, readonly ChannelName[], readonly string[]])[] = [
  ["without a VIN", { vehicle: { vin: null } }, GOOGLE, ["error required_empty vin"]],
  ["without a VIN", { vehicle: { vin: null } }, CATALOGS, []],
  ["with a VIN of 16 characters", { vehicle: { vin: "1HGBH41JXMN10918" } }, GOOGLE, ["error vin_form vin"]],
  [
    "with a VIN of 16 characters",
    { vehicle: { vin: "1HGBH41JXMN10918" } },
    ["meta", "tiktok"],
    ["warning vin_form vin"],
  ],
  ["with a VIN of 18 characters", { vehicle: { vin: "1HGBH41JXMN1091866" } }, GOOGLE, ["error vin_form vin"]],
  ["with an O in its VIN", { vehicle: { vin: "1HGBH41JXMN10918O" } }, GOOGLE, ["error vin_form vin"]],
  ["with U for its model year", { vehicle: { vin: "1HGBH41JXUN109186" } }, GOOGLE, ["error vin_form vin"]],
  ["with a VIN in small letters", { vehicle: { vin: "1hgbh41jxmn109186" } }, SITES, []],
  ["with a wrong check digit", { vehicle: { vin: "1HGBH41J1MN109186" } }, GOOGLE, ["error vin_check_digit vin"]],
  [
    "of 1981 with a wrong check digit",
    { vehicle: { vin: "1HGBH41J1MN109186", year: 1981 } },
    GOOGLE,
    ["error vin_check_digit vin"],
  ],
  ["of 1980 with a wrong check digit", { vehicle: { vin: "1HGBH41J1MN109186", year: 1980 } }, GOOGLE, []],
  [
    "in Germany with a wrong check digit",
    { vehicle: { vin: "1HGBH41J1MN109186", date_first_registered: "1991-05-01" }, settings: { country: "DE" } },
    GOOGLE,
    [],
  ],
  ["for nothing", { vehicle: { price: 0 } }, SITES, ["error price_zero price"]],
  ["for a cent", { vehicle: { price: 0.01 } }, SITES, []],
  ["without images", { images: [] }, ["google_vehicle_listings"], ["warning image_missing images"]],
  ["without images", { images: [] }, ["google_vehicle_ads", ...CATALOGS], ["error image_missing images"]],
  ["with http images only", { images: ["http://images.example.com/1.jpg"] }, ["meta"], ["error image_missing images"]],
  [
    "with one https image",
    { images: ["http://images.example.com/1.jpg", "HTTPS://images.example.com/2.jpg"] },
    CATALOGS,
    [],
  ],
  [
    "with a photo of http",
    { images: ["http://images.example.com/1.jpg", "HTTPS://images.example.com/2.jpg"] },
    GOOGLE,
    ["warning image_http images"],
  ],
  [
    "with a photo of ftp only",
    { images: ["ftp://images.example.com/1.jpg"] },
    ["google_vehicle_ads"],
    ["error image_missing images"],
  ],
  [
    "whose link has no place for the store code",
    { settings: { link_template: "https://harbor.example.com/{stock_number}" } },
    ["google_vehicle_ads"],
    ["error link_store_code link_template"],
  ],
  [
    "without a VIN in Germany",
    { vehicle: { vin: null, date_first_registered: "1991-05-01" }, settings: { country: "DE" } },
    ["google_vehicle_ads"],
    [],
  ],
  [
    "without a VIN in Austria",
    { vehicle: { vin: null }, settings: { country: "AT" } },
    ["google_vehicle_ads"],
    ["error required_empty vin"],
  ],
  [
    "of a European maker in the United Kingdom",
    { vehicle: { vin: "WBA71DC010CH00001" }, settings: { country: "GB" } },
    GOOGLE,
    [],
  ],
  [
    "with a VIN that cannot be one in France",
    { vehicle: { vin: "TBD", date_first_registered: "1991-05-01" }, settings: { country: "FR" } },
    ["google_vehicle_ads"],
    ["warning vin_form vin"],
  ],
  [
    "of 1972 with a VIN of that time",
    { vehicle: { vin: "194372S109876", year: 1972 } },
    GOOGLE,
    ["warning vin_form vin"],
  ],
  [
    "imported after 25 years with a chassis number",
    { vehicle: { vin: "BNR32-305366", year: 1994 } },
    GOOGLE,
    ["warning vin_form vin"],
  ],
  [
    "imported before that with a chassis number",
    { vehicle: { vin: "BNR34-305366", year: 2002 } },
    GOOGLE,
    ["error vin_form vin"],
  ],
  ["of another year than its VIN", { vehicle: { year: 2004 } }, ["google_vehicle_ads"], ["warning vin_year year"]],
  [
    "in Canada without a price type",
    { settings: { country: "CA" } },
    ["google_vehicle_ads"],
    ["warning price_type_missing price_type"],
  ],
  [
    "in Canada with a price type",
    { settings: { country: "CA", price_type: "all_in_price" } },
    ["google_vehicle_ads"],
    [],
  ],
  [
    "that is used, in Germany",
    { settings: { country: "DE" } },
    ["google_vehicle_ads"],
    ["warning asked_by_country date_first_registered"],
  ],
  ["that is used, in the Netherlands", { settings: { country: "NL" } }, ["google_vehicle_ads"], []],
  ["that is used, in Germany", { settings: { country: "DE" } }, CATALOGS, []],
  [
    "that is new and electric, in Germany",
    { vehicle: { condition: "new", fuel_type: "Electric" }, settings: { country: "DE" } },
    ["google_vehicle_ads"],
    [
      "warning asked_by_country electric_range",
      "warning asked_by_country energy_consumption",
      "warning asked_by_country co2_emissions",
    ],
  ],
  [
    "that is new, in Italy",
    { vehicle: { condition: "new", fuel_type: "Diesel" }, settings: { country: "IT" } },
    ["google_vehicle_ads"],
    [
      "warning asked_by_country fuel_consumption",
      "warning asked_by_country co2_emissions",
      "warning asked_by_country emissions_standard",
    ],
  ],
  [
    "that is new, in France",
    { vehicle: { condition: "new" }, settings: { country: "FR" } },
    ["google_vehicle_ads"],
    [],
  ],
  [
    "of a dealer without a store code",
    { settings: { store_codes: { 4: "x" } } },
    GOOGLE,
    ["error store_code_missing store_codes"],
  ],
  [
    "of a dealer with an empty store code",
    { settings: { store_codes: { 3: "" } } },
    GOOGLE,
    ["error store_code_missing store_codes"],
  ],
  ["of a dealer without a store code", { settings: { store_codes: {} } }, CATALOGS, []],
  [
    "without a link template",
    { settings: { link_template: null } },
    ["google_vehicle_ads", ...CATALOGS],
    ["error link_missing link_template"],
  ],
  [
    "without a link template",
    { settings: { link_template: null } },
    ["google_vehicle_listings"],
    ["warning recommended_empty link_template"],
  ],
  [
    "without what its link needs",
    { vehicle: { stock_number: null } },
    ["google_vehicle_ads", ...CATALOGS],
    ["error link_missing stock_number"],
  ],
  ["without a condition", { vehicle: { condition: null } }, SITES, ["error required_empty condition"]],
  ["of blank condition", { vehicle: { condition: " " } }, SITES, ["error required_empty condition"]],
  ["of unknown condition", { vehicle: { condition: "salvage" } }, SITES, ["error condition_unknown condition"]],
  ["of unknown body", { vehicle: { body_style: "Targa" } }, ["meta", "tiktok"], ["warning body_unknown body_style"]],
  ["of unknown body", { vehicle: { body_style: "Targa" } }, GOOGLE, []],
  ["without a body", { vehicle: { body_style: null } }, ["meta"], ["error required_empty body_style"]],
  [
    "without a body",
    { vehicle: { body_style: null } },
    ["google_vehicle_ads"],
    ["warning recommended_empty body_style"],
  ],
  ["that is used, without mileage", { vehicle: { mileage: null } }, GOOGLE, ["error required_empty mileage"]],
  ["that is new, without mileage", { vehicle: { mileage: null, condition: "new" } }, [...GOOGLE, "meta"], []],
  [
    "that is used, without mileage",
    { vehicle: { mileage: null } },
    ["meta", "tiktok"],
    ["error required_empty mileage"],
  ],
  ["without a description", { vehicle: { description: null } }, CATALOGS, ["error required_empty description"]],
  [
    "described by a link",
    { vehicle: { description: "https://example.com/x" } },
    CATALOGS,
    ["error required_empty description"],
  ],
  [
    "described in capitals",
    { vehicle: { description: "ONE OWNER, ALWAYS GARAGED, WITH ALL OF ITS PAPERS." } },
    ["meta", "tiktok"],
    ["warning description_capitals description"],
  ],
  ["described in capitals", { vehicle: { description: "ONE OWNER, ALWAYS GARAGED" } }, ["snapchat", "csv"], []],
  ["without a color", { vehicle: { exterior_color: null } }, ["meta"], ["error required_empty exterior_color"]],
  ["without a trim", { vehicle: { trim: null } }, GOOGLE, ["warning recommended_empty trim"]],
  ["that is due in", { vehicle: { stage: "due_in" } }, CHANNEL_NAMES, ["error not_arrived stage"]],
  ["in transit", { vehicle: { stage: "in_transit" } }, CHANNEL_NAMES, ["error not_arrived stage"]],
  ["in preparation", { vehicle: { stage: "in_prep" } }, CHANNEL_NAMES, ["error not_arrived stage"]],
  ["that is reserved", { vehicle: { status: "pending", stage: "reserved" } }, CHANNEL_NAMES, []],
  [
    "in transit that is asked for",
    { vehicle: { stage: "in_transit" }, settings: { filters: { stage: "in_transit" } } },
    CHANNEL_NAMES,
    [],
  ],
  ["that is not published", { vehicle: { publish: 0 } }, CHANNEL_NAMES, ["error unpublished publish"]],
  [
    "that has nothing",
    { vehicle: { vin: null, price: 0, condition: null, mileage: null, stock_number: null }, images: [] },
    ["csv", "ndjson"],
    ["warning link_missing stock_number"],
  ],
];

describe("a vehicle", () => {
  for (const [name, change, channels, issues] of RULES)
    for (const channel of channels)
      test(`${name} has ${issues.join(", ") || "no issue"} for ${channel}, and errors leave it out`, () => {
        expect(found(channel, change)).toEqual([...issues]);
        expect(written(channel, change) === null).toBe(issues.some((issue) => issue.startsWith("error")));
      });

  test("has its issues described in words that a dealer understands, with the value in question", () => {
    const [issue] = rowOf("google_vehicle_ads", { vehicle: { vin: "1HGBH41JXMN10918" } }).issues;
    expect(issue).toEqual({
      rule: "vin_form",
      severity: "error",
      field: "vin",
      message: "Google wants a VIN of 17 characters; this one has 16.",
      fix: "Read the VIN again from the vehicle: 17 digits and capitals, without I, O and Q.",
      evidence: "1HGBH41JXMN10918",
    });
  });

  test("described in capitals is written in sentence case for Meta and TikTok, and as it is for others", () => {
    const vehicle = { description: "ONE OWNER. ALWAYS GARAGED!\n– ÄRA, 4X4: NO RUST" };
    const wanted = "One owner. Always garaged!\n– Ära, 4x4: no rust";
    for (const channel of ["meta", "tiktok"] as const)
      expect(written(channel, { vehicle })).toMatchObject({ description: wanted });
    expect(written("snapchat", { vehicle })).toMatchObject({ description: vehicle.description });
    const usual = { description: "One owner. ABS and A/C." };
    expect(written("meta", { vehicle: usual })).toMatchObject(usual);
  });

  test('with an unknown body is written as "other" for Meta', () => {
    expect(written("meta", { vehicle: { body_style: "Targa" } })).toMatchObject({ body_style: "OTHER" });
  });

  test("that is certified is used for Google, with a certification label, and CPO for Meta", () => {
    const vehicle = { condition: "Certified Pre-Owned" };
    expect(written("google_vehicle_listings", { vehicle })).toMatchObject({
      condition: "used",
      certified_pre_owned: "yes",
    });
    expect(written("meta", { vehicle })).toMatchObject({ state_of_vehicle: "CPO" });
  });

  test("has the cents of its price and the unit of its mileage", () => {
    const change = { vehicle: { price: 9999.5 }, settings: { currency: "CAD", mileage_unit: "km" } } as const;
    expect(written("google_vehicle_listings", change)).toMatchObject({ price: "9999.50 CAD", mileage: "2333 km" });
    expect(written("meta", change)).toMatchObject({ "mileage.unit": "KM" });
  });

  test("has texts on one line, and no longer than the channel accepts", () => {
    const vehicle = {
      trim: `${"é".repeat(49)}🚗x`,
      title: "A\r\n\tB",
      description: `a\r\nb\u0000 ${"x".repeat(6000)}`,
    };
    const row = written("meta", { vehicle });
    expect(row).toMatchObject({ trim: `${"é".repeat(49)}🚗`, title: "A B" });
    expect(row?.description).toStartWith("a\nb  xxx");
    expect(row?.description).toHaveLength(5000);
  });

  test("has plain text in every channel, whatever markup was sent", () => {
    const vehicle = {
      make: "Citro&euml;n",
      title: "<b>Citro&euml;n</b> C3",
      description: '<p>Nice&nbsp;car</p><ul><li>5 < 6</li></ul>See <a href="https://x.example.com/a">here</a>.',
    };
    const description = "Nice car\n5 < 6\nSee here.";
    for (const channel of ["meta", "snapchat", "csv"] as const)
      expect(written(channel, { vehicle })).toMatchObject({ title: "Citroën C3", description });
    for (const channel of GOOGLE) expect(written(channel, { vehicle })).toMatchObject({ make: "Citroën" });
  });

  test("has what Google's ads ask for by country: id and price type, the VIN if there is one, 0 of a new vehicle", () => {
    const germany = { country: "DE", currency: "EUR", mileage_unit: "km" } as const;
    const vehicle = { vin: "TBD", mileage: null, condition: "new" };
    const row = written("google_vehicle_ads", { vehicle, settings: germany });
    expect(row).toMatchObject({ id: "7", mileage: "0 km" });
    expect(row).not.toHaveProperty("VIN");
    const used = written("google_vehicle_ads", { vehicle: { vin: "WBA71DC010CH00001" }, settings: germany });
    expect(used).toMatchObject({ VIN: "WBA71DC010CH00001" });
    const settings = { country: "CA", price_type: "all_in_price" };
    const canadian = written("google_vehicle_ads", { settings });
    expect(canadian).toMatchObject({ vehicle_price_type: "all_in_price" });
    expect(canadian).not.toHaveProperty("id");
    const old = { vin: "194372s109876", year: 1972 };
    expect(written("google_vehicle_ads", { vehicle: old })).toMatchObject({ VIN: "194372S109876" });
  });

  test("has what Google's ads ask of electric cars and in Europe, each with its unit", () => {
    const vehicle = {
      ...{ date_first_registered: "2021-03-15", msrp: 31_500.5, electric_range: 484, fuel_consumption: 6.2 },
      ...{ energy_consumption: 17.2, co2_emissions: 0, emissions_standard: "Euro 6d-TEMP" },
    };
    const germany = { country: "DE", currency: "EUR", mileage_unit: "km" } as const;
    expect(written("google_vehicle_ads", { vehicle, settings: germany })).toMatchObject({
      ...{ date_first_registered: "2021-03", vehicle_msrp: "31500.50 EUR", electric_range: "484 km" },
      ...{ fuel_consumption: "6.2 l/100km", energy_consumption: "17.2 kWh/100km", co2_emissions: "0 g/km" },
      emissions_standard: "euro6d-TEMP",
    });
    expect(found("google_vehicle_ads", { vehicle, settings: germany })).toEqual([]);
    const standardOf = (emissions_standard: string) =>
      written("google_vehicle_ads", { vehicle: { emissions_standard } })?.emissions_standard;
    expect(["EURO 6d-ISC-FCM", "euro5", "Zero emissions", "Tier 3"].map(standardOf)).toEqual([
      ...["euro6d", "euro5", "zero_emissions", undefined],
    ]);
  });

  test("has at most 20 images for Meta", () => {
    const images = Array.from({ length: 25 }, (_, place) => `https://images.example.com/${place}.jpg`);
    const row = written("meta", { images }) ?? {};
    expect(Object.keys(row).filter((heading) => heading.startsWith("image["))).toHaveLength(20);
    expect(row["image[19].url"]).toBe("https://images.example.com/19.jpg");
  });

  test("whose id is the name of an inherited property has no store code", () => {
    expect(found("google_vehicle_ads", { settings: { store_codes: JSON.parse('{"__proto__": {"3": "x"}}') } })).toEqual(
      ["error store_code_missing store_codes"],
    );
  });
});

describe("a repeated vehicle", () => {
  const later = { id: 8, stock_number: "A-1043" };

  test("with the same VIN, in any case, is left out except for the first, which is the newest", () => {
    for (const channel of ["google_vehicle_listings", "google_vehicle_ads", "meta", "tiktok"] as const) {
      const rows = feedRows(channel, settingsOf(channel));
      expect(rows.row(feedVehicle(later)).cells).not.toBeNull();
      const { cells, issues } = rows.row(feedVehicle({ vin: "1hgbh41jxmn109186" }));
      expect([cells, issues.map(({ rule }) => rule)]).toEqual([null, ["vin_twice"]]);
    }
  });

  test("with the same stock number is left out of listings, but only within one dealer", () => {
    const rows = feedRows("google_vehicle_listings", { ...SETTINGS, store_codes: { 3: "x", 4: "y" } });
    const same = { vin: "1G4AH59H45G118341" };
    expect(rows.row(feedVehicle()).issues).toEqual([]);
    expect(rows.row(feedVehicle(same)).issues.map(({ rule }) => rule)).toEqual(["id_twice"]);
    const other = feedVehicle({ vin: "1J9RP1A36A1644345", dealer_id: 4 });
    expect(rows.row({ ...other, dealer: { ...other.dealer, id: 4 } }).issues).toEqual([]);
  });

  test("is not counted as repeated while it is not published or not at the dealer", () => {
    for (const [change, rule] of [
      [{ publish: 0 }, "unpublished"],
      [{ stage: "in_transit" }, "not_arrived"],
    ] as const) {
      const rows = feedRows("google_vehicle_listings", SETTINGS);
      expect(rows.row(feedVehicle(change)).issues.map((issue) => issue.rule)).toEqual([rule]);
      expect(rows.row(feedVehicle()).cells).not.toBeNull();
    }
  });

  test("is not counted as repeated without a VIN or with a placeholder for one", () => {
    const rows = feedRows("meta", SETTINGS);
    for (const vin of [null, null, "TBD", "TBD"]) expect(rows.row(feedVehicle({ vin })).cells).not.toBeNull();
  });

  test("is accepted by channels that have no such rule", () => {
    for (const channel of ["snapchat", "csv", "ndjson"] as const) {
      const rows = feedRows(channel, SETTINGS);
      for (const _ of [1, 2]) expect(rows.row(feedVehicle()).cells).not.toBeNull();
    }
  });
});
