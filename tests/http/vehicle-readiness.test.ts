import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { AnsweredQuality, VehicleReadiness } from "../../core/readiness/readiness.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  feedBody,
  imageBody,
  keyBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

setDefaultTimeout(300_000);

const VIN = "1HGBH41JXMN109186";
/** A listing without faults, except that it has no photos. */
const GOOD = {
  make: "Honda",
  model: "Accord",
  year: 1991,
  price: 20_000,
  trim: "EX",
  mileage: 45_000,
  condition: "used",
  vin: VIN,
  description: "One owner, always garaged, with all of its papers.",
};
const USUAL = [20_000, 20_200, 20_400, 20_600, 20_800, 21_000, 21_200, 21_400];

for (const engine of ENGINES)
  describe(`readiness and quality on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const keyOf = async (dealer: number): Promise<string> =>
      (
        await create<CreatedKey>(
          fixture.api,
          "/api/keys",
          keyBody({ permissions: pairs("vehicles:read"), dealer_id: dealer }),
        )
      ).api_key;
    const add = async (dealer: number, fields: object = {}, photos: readonly string[] = []): Promise<number> => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { ...GOOD, ...fields }));
      for (const image_url of photos) await create(fixture.api, `/api/vehicles/${id}/images`, imageBody({ image_url }));
      return id;
    };
    const photosOf = (name: string) =>
      [1, 2, 3, 4, 5].map((place) => `https://images.example.com/${name}/${place}.jpg`);
    const as = (key: string | undefined) => (key === undefined ? {} : { key });
    const qualityOf = async (id: number, key?: string): Promise<string[]> => {
      const reply = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${id}/readiness`, as(key));
      expectReply(reply, { status: 200 });
      return reply.body.quality.map(({ rule, severity, field }) => `${severity} ${rule} ${field}`);
    };
    const rated = async (query: string, key?: string) =>
      (await fixture.api<AnsweredQuality>("GET", `/api/quality${query}`, as(key))).body;
    const countsOf = ({ rules }: AnsweredQuality) => Object.fromEntries(rules.map(({ rule, count }) => [rule, count]));

    test("find nothing wrong with a good listing", async () => {
      const dealer = await newDealer();
      const id = await add(dealer, {}, photosOf("good"));
      expectReply(await fixture.api("GET", `/api/vehicles/${id}/readiness`), {
        status: 200,
        body: { feeds: [], quality: [] },
      });
      expect(await rated(`?dealer_id=${dealer}`)).toEqual({ dealer_id: dealer, vehicles: 1, score: 100, rules: [] });
    });

    test("describe what is wrong in a dealer's words, with the value and what to do", async () => {
      const id = await add(await newDealer(), { vin: "1HGBH41JXMN10918" }, photosOf("vin"));
      const { body } = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${id}/readiness`);
      expect(body.quality).toEqual([
        {
          rule: "vin_form",
          severity: "error",
          field: "vin",
          message: "Every site wants a VIN of 17 characters; this one has 16.",
          fix: "Read the VIN again from the vehicle: 17 digits and capitals, without I, O and Q.",
          evidence: "1HGBH41JXMN10918",
        },
      ]);
    });

    test("report a price far from those of 8 similar vehicles of the dealer, but not of 7", async () => {
      const dealer = await newDealer();
      for (const price of USUAL.slice(1)) await add(dealer, { price, vin: null });
      const odd = await add(dealer, { price: 60_000 }, photosOf("odd"));
      for (const other of [{ model: "Civic" }, { make: "Acura" }])
        await add(dealer, { price: USUAL[0], vin: null, ...other });
      expect(await qualityOf(odd)).toEqual([]);
      const last = await add(dealer, { price: USUAL[0], vin: null, make: "HONDA", year: 1992 });
      expect(await qualityOf(odd)).toEqual(["warning price_off_peers price"]);
      expect(countsOf(await rated(`?dealer_id=${dealer}`))).toEqual({ photos_few: 10, price_off_peers: 1 });
      expectReply(await fixture.api("PUT", `/api/vehicles/${last}`, { body: { status: "sold" } }), { status: 200 });
      expect(await qualityOf(odd)).toEqual([]);
    });

    test("report a photo that 4 vehicles of the dealer share, and a VIN that 2 share in any case", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const [placeholder] = photosOf("placeholder");
      const photos = (name: string) => [...photosOf(name), placeholder ?? ""];
      const first = await add(dealer, {}, photos("a"));
      for (const name of ["b", "c"]) await add(dealer, { vin: null }, photos(name));
      await add(other, {}, photos("d"));
      expect(await qualityOf(first)).toEqual([]);
      await add(dealer, { vin: VIN.toLowerCase() }, photos("e"));
      expect(await qualityOf(first)).toEqual(["warning photo_shared images", "warning vin_repeated vin"]);
      expect(countsOf(await rated(`?dealer_id=${dealer}`))).toEqual({ photo_shared: 4, vin_repeated: 2 });
      expect(await rated(`?dealer_id=${other}`)).toMatchObject({ vehicles: 1, score: 100 });
    });

    test("read a long description to its end", async () => {
      const dealer = await newDealer();
      const long = (end: string) => ({ description: `${"One owner. ".repeat(1800)}${end}` });
      const linked = await add(dealer, { ...long("See www.example.com/cars"), vin: null }, photosOf("linked"));
      const shouted = { description: `${"ONE OWNER. ".repeat(1800)}, always garaged` };
      const mixed = await add(dealer, { ...shouted, vin: null }, photosOf("mixed"));
      expect(await qualityOf(linked)).toEqual(["warning description_link description"]);
      expect(await qualityOf(mixed)).toEqual([]);
      expect(countsOf(await rated(`?dealer_id=${dealer}`))).toEqual({ description_link: 1 });
    });

    test("rate only unsold vehicles, and give no score without any", async () => {
      const dealer = await newDealer();
      expect(await rated(`?dealer_id=${dealer}`)).toEqual({ dealer_id: dealer, vehicles: 0, score: null, rules: [] });
      const sold = await add(dealer, { status: "sold", price: 0, trim: null });
      await add(dealer, { status: "pending", trim: null }, photosOf("pending"));
      await add(dealer, { price: 0, vin: null }, photosOf("free"));
      expect(await rated(`?dealer_id=${dealer}`)).toMatchObject({ vehicles: 2, score: Math.round((90 + 75) / 2) });
      expect(await qualityOf(sold)).toEqual([]);
    });

    test("state for each feed in reach whether it contains the vehicle, and why not", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const feedOf = async (fields: object) =>
        (await create(fixture.api, "/api/feeds", feedBody(dealer, { channel: "google_vehicle_ads", ...fields }))).id;
      const link_template = "https://harbor.example.com/{id}?store={store_code}";
      const codes = { link_template, store_codes: { [dealer]: "Harbor", [other]: "Quay" } };
      const good = await feedOf(codes);
      const bare = await feedOf({ link_template });
      const ofBoth = await feedOf({ ...codes, dealer_ids: [dealer, other] });
      await feedOf({ ...codes, filters: { make: "Tatra" } });
      await feedOf({ ...codes, dealer_ids: [other] });
      const removed = await feedOf(codes);
      expectReply(await fixture.api("DELETE", `/api/feeds/${removed}`), { status: 200 });
      const id = await add(dealer, {}, photosOf("fed"));
      const feedsOf = async (key?: string): Promise<unknown[][]> => {
        const { body } = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${id}/readiness`, as(key));
        return body.feeds
          .map(({ feed_id, ready, issues }) => [
            feed_id,
            ready,
            issues.filter(({ severity }) => severity === "error").map(({ rule }) => rule),
          ])
          .sort(([one], [another]) => Number(one) - Number(another));
      };
      const noCode = [bare, false, ["store_code_missing"]];
      expect(await feedsOf()).toEqual([[good, true, []], noCode, [ofBoth, true, []]]);
      expect(await feedsOf(await keyOf(dealer))).toEqual([[good, true, []], noCode]);

      const withoutPhotos = await add(dealer, { vin: "1M8GDM9AXKP042788" });
      const { body } = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${withoutPhotos}/readiness`);
      const rules = body.feeds.flatMap(({ issues }) => issues.map(({ rule }) => rule));
      expect(rules.filter((rule) => rule === "image_missing")).toHaveLength(3);

      const again = await add(other, {}, photosOf("again"));
      expect(await feedsOf()).toEqual([[good, true, []], noCode, [ofBoth, false, ["vin_twice"]]]);
      expectReply(await fixture.api("PUT", `/api/vehicles/${again}`, { body: { publish: false } }), { status: 200 });
      expect(await feedsOf()).toEqual([[good, true, []], noCode, [ofBoth, true, []]]);

      expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { body: { publish: false } }), { status: 200 });
      expect((await feedsOf()).map(([, ready]) => ready)).toEqual([false, false, false]);
      expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { body: { status: "sold" } }), { status: 200 });
      expect(await feedsOf()).toEqual([]);
    });

    test("state for an unpublished vehicle the same as the list of its feed", async () => {
      const dealer = await newDealer();
      const { id: feed } = await create(
        fixture.api,
        "/api/feeds",
        feedBody(dealer, {
          channel: "google_vehicle_listings",
          link_template: "https://harbor.example.com/{id}?store={store_code}",
          store_codes: { [dealer]: "Harbor" },
        }),
      );
      const id = await add(dealer, { publish: false, stock_number: "A-1" }, photosOf("kept"));
      await add(dealer, { stock_number: "A-1" }, photosOf("newer"));
      const { body } = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${id}/readiness`);
      const listed = await fixture.api<{ data: object[] }>("GET", `/api/feeds/${feed}/readiness/vehicles`);
      expect(body.feeds[0]?.issues.map(({ rule }) => rule)).toEqual(["unpublished"]);
      expect(listed.body.data).toMatchObject([{ vehicle_id: id, issues: [...(body.feeds[0]?.issues ?? [])] }]);
    });

    test("report a newer vehicle of the same dealer with the same stock number in a feed, but not another dealer's", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      await create(
        fixture.api,
        "/api/feeds",
        feedBody(dealer, {
          channel: "google_vehicle_listings",
          dealer_ids: [dealer, other],
          link_template: "https://harbor.example.com/{id}?store={store_code}",
          store_codes: { [dealer]: "Harbor", [other]: "Quay" },
        }),
      );
      const id = await add(dealer, { stock_number: "A-1" }, photosOf("older"));
      const errors = async () => {
        const { body } = await fixture.api<VehicleReadiness>("GET", `/api/vehicles/${id}/readiness`);
        return body.feeds.map(({ issues }) =>
          issues.filter(({ severity }) => severity === "error").map(({ rule }) => rule),
        );
      };
      await add(other, { stock_number: "A-1", vin: "1M8GDM9AXKP042788" }, photosOf("quay"));
      expect(await errors()).toEqual([[]]);
      await add(dealer, { stock_number: "A-1", vin: "11111111111111111" }, photosOf("newer"));
      expect(await errors()).toEqual([["id_twice"]]);
    });

    test("read a large lot to its end", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: 225 }, (_, place) => ({
        ...GOOD,
        vin: null,
        stock_number: `S${place}`,
        price: 20_000 + place,
        trim: place % 3 === 0 ? null : "EX",
      }));
      expectReply(
        await fixture.api("POST", "/api/vehicles/batch", {
          body: { items: lines.map((item) => ({ ...item, dealer_id: dealer })) },
        }),
        { status: 200 },
      );
      const quality = await rated(`?dealer_id=${dealer}`);
      expect(quality.vehicles).toBe(225);
      expect(countsOf(quality)).toEqual({ photos_few: 225, trim_missing: 75 });
    });

    test("cover only the caller's dealer, whatever dealer is requested", async () => {
      const [own, other] = [await newDealer(), await newDealer()];
      const key = await keyOf(own);
      const id = await add(own, {}, photosOf("own"));
      const foreign = await add(other, { trim: null });
      expect(await rated("", key)).toEqual({ dealer_id: own, vehicles: 1, score: 100, rules: [] });
      expect(await rated(`?dealer_id=${other}`, key)).toEqual({ dealer_id: own, vehicles: 1, score: 100, rules: [] });
      expect(await qualityOf(id, key)).toEqual([]);
      expectReply(await fixture.api("GET", `/api/vehicles/${foreign}/readiness`, { key }), {
        status: 403,
        code: "not_your_dealer",
      });
    });

    test("rate all dealers' vehicles for a caller who names none, and none for a missing dealer", async () => {
      const before = await rated("");
      await add(await newDealer(), { trim: null });
      const after = await rated("");
      expect([after.dealer_id, after.vehicles]).toEqual([null, before.vehicles + 1]);
      expect(countsOf(after).trim_missing).toBe((countsOf(before).trim_missing ?? 0) + 1);
      expect(await rated("?dealer_id=999999")).toMatchObject({ vehicles: 0, score: null });
    });
  });
