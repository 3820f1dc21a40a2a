import { describe, expect, test } from "bun:test";
import type { Channel } from "../../../core/channels/channel.ts";
import { CHANNELS } from "../../../core/channels/channels.ts";
import { meaningOf, type Subject, SYNONYMS } from "../../../core/vehicles/synonyms.ts";

const MEANINGS: readonly (readonly [Subject, text: string, meaning: string | null])[] = [
  ["condition", "New", "new"],
  ["condition", "N", "new"],
  ["condition", "U", "used"],
  ["condition", "Like new", "used"],
  ["condition", "PRE-OWNED", "used"],
  ["condition", "Nearly new", "used"],
  ["condition", "Almost New", "used"],
  ["condition", "Certified Pre-Owned", "certified"],
  ["condition", "CPO", "certified"],
  ["condition", "Certified used", "certified"],
  ["condition", "renewed", null],
  ["condition", "salvage", null],
  ["condition", "", null],
  ["body", "4dr Sedan", "sedan"],
  ["body", "Sport Utility 4D", "suv"],
  ["body", "Crew Cab Pickup", "pickup"],
  ["body", "Super Crew", "pickup"],
  ["body", "Super Cab 4x4", "pickup"],
  ["body", "Crew Max", "pickup"],
  ["body", "Club Cab", "pickup"],
  ["body", "Standard Cab", "pickup"],
  ["body", "Cargo Van", "van"],
  ["body", "Mini-Van", "minivan"],
  ["body", "2D Coupé", "coupe"],
  ["body", "Coupe Convertible", "convertible"],
  ["body", "Targa", null],
  ["transmission", "8-Speed Automatic w/OD", "automatic"],
  ["transmission", "Automated manual", "automatic"],
  ["transmission", "Automatic with manual mode", "automatic"],
  ["transmission", "CVT", "automatic"],
  ["transmission", "6-speed manual", "manual"],
  ["transmission", "M", "manual"],
  ["transmission", "8-Speed", null],
  ["fuel", "Gasoline", "gasoline"],
  ["fuel", "Regular Unleaded", "gasoline"],
  ["fuel", "Gas/Electric Hybrid", "hybrid"],
  ["fuel", "Plug-In Hybrid", "plugin_hybrid"],
  ["fuel", "PHEV", "plugin_hybrid"],
  ["fuel", "Flex Fuel", "flex"],
  ["fuel", "Electric", "electric"],
  ["fuel", "Petrol", "petrol"],
  ["fuel", "D", "diesel"],
  ["fuel", "Hydrogen", "other"],
  ["fuel", "plutonium", null],
  ["drivetrain", "AWD", "awd"],
  ["drivetrain", "quattro", "awd"],
  ["drivetrain", "4x4", "four_wd"],
  ["drivetrain", "2WD", "two_wd"],
  ["drivetrain", "Front-Wheel Drive", "fwd"],
  ["drivetrain", "Rear wheel drive", "rwd"],
  ["drivetrain", "tracks", null],
];

describe("free text", () => {
  for (const [subject, text, meaning] of MEANINGS)
    test(`for the ${subject}, "${text}", means ${meaning}, also when it is asked again`, () => {
      expect([meaningOf(subject, text), meaningOf(subject, text)] as unknown[]).toEqual([meaning, meaning]);
    });

  test("that is one of a channel's words means exactly that word", () => {
    for (const { reader, words } of Object.values<Channel>(CHANNELS))
      for (const [subject, { words: known, other }] of Object.entries(words))
        for (const word of Object.values<string>(known)) {
          const meaning = meaningOf(subject as Subject, word);
          const told = (meaning && known[meaning as keyof typeof known]) ?? other;
          expect([reader, subject, told]).toEqual([reader, subject, word]);
        }
  });

  test("means what each phrase of the table states", () => {
    for (const subject of Object.keys(SYNONYMS) as Subject[])
      for (const [meaning, phrases] of Object.entries<readonly string[]>(SYNONYMS[subject]))
        for (const phrase of phrases)
          expect([subject, phrase, meaningOf(subject, phrase)]).toEqual([subject, phrase, meaning as never]);
  });

  test("is understood in any number and at any length", () => {
    for (let number = 0; number < 2000; number++) expect(meaningOf("body", `Sedan ${number}`)).toBe("sedan");
    expect(meaningOf("body", `Sedan ${"x".repeat(100_000)}`)).toBe("sedan");
  });
});
