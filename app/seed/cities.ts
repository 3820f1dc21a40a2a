import table from "./cities.txt" with { type: "text" };

/** A city with its state, telephone area and postal codes. */
export interface City {
  readonly city: string;
  readonly state: string;
  readonly area: string;
  readonly zips: readonly string[];
}

/** Cities of the United States in which the invented dealers are. */
export const CITIES: readonly City[] = table
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [city = "", state = "", area = "", zips = ""] = line.split(" | ");
    return { city, state, area, zips: zips.split(" ") };
  });
