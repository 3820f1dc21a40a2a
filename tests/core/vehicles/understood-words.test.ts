import { describe, expect, test } from "bun:test";
import { understoodIn, writtenWords } from "../../../core/vehicles/understood-words.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { vehicleFields } from "../../support/records.ts";

const car = (fields: Partial<Vehicle>): Vehicle => ({ ...vehicleFields(1), id: 1, title: null, ...fields }) as Vehicle;

const LOT = [
  car({ make: "Toyota", model: "Camry", year: 2024, exterior_color: "Red", stock_number: "A-1042", trim: null }),
  car({
    make: "Toyota",
    model: "Corolla",
    exterior_color: "Barcelona Red",
    stock_number: "B2242",
    vin: "4T1G11AK5LU123456",
  }),
  car({ make: "Volkswagen", model: "Golf", exterior_color: "Blue", description: "One owner, red seats." }),
];

const understood = (q: string, lot = LOT) =>
  writtenWords(q).map((word) => {
    const { as, value } = understoodIn(lot, word);
    return [word.word, as, value];
  });

describe("what the words of a search stand for", () => {
  test("is the field in which most vehicles have the word, and the value that most have there", () => {
    expect(understood("RED toyóta 42")).toEqual([
      ["RED", "exterior_color", "Red"],
      ["toyóta", "make", "Toyota"],
      ["42", "stock_number_ending", "42"],
    ]);
    expect(understood("2024 camry")).toEqual([
      ["2024", "year", "2024"],
      ["camry", "model", "Camry"],
    ]);
    expect(understood("vw a1042 123456 owner")).toEqual([
      ["vw", "make", "Volkswagen"],
      ["a1042", "stock_number", "A-1042"],
      ["123456", "vin_ending", "123456"],
      ["owner", "description", "owner"],
    ]);
  });

  test("is nothing for a word that no vehicle has, and for two digits alone", () => {
    expect(understood("zulu")).toEqual([["zulu", null, null]]);
    expect(understood("42")).toEqual([["42", null, null]]);
    expect(understood("42", [])).toEqual([["42", null, null]]);
  });

  test("keeps each word as it was written, with the search without it", () => {
    expect(writtenWords("  red, (Toyota)  A-10.42").map(({ word, rest }) => [word, rest])).toEqual([
      ["red", ", (Toyota) A-10.42"],
      ["Toyota", "red, ( ) A-10.42"],
      ["A-10.42", "red, (Toyota)"],
    ]);
    expect(writtenWords("red").map(({ rest }) => rest)).toEqual([null]);
    // One character is two words here, so that none can be told apart.
    expect(writtenWords("red ½")).toEqual([]);
  });
});
