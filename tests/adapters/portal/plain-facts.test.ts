import { expect, test } from "bun:test";
import { PLAIN_FACTS } from "../../../adapters/portal/vehicles/plain-facts.ts";
import { SHORT_FIELDS } from "../../../adapters/portal/vehicles/vehicle-draft.ts";

test("the facts of a vehicle have every short field; seven of them, which have their own words, are not repeated", () =>
  expect<readonly string[]>(SHORT_FIELDS.filter((field) => !PLAIN_FACTS.includes(field)).sort()).toEqual([
    "make",
    "mileage",
    "model",
    "price",
    "status",
    "title",
    "year",
  ]));
