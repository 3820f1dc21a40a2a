import type { Timestamp } from "./clock.ts";

/**
 * A record that was written as JSON where it is stored, or on the way from there, and goes into an answer as it is: on
 * SQLite reading a vehicle's 26 fields into an object, to write them out again, costs 2 of the 23 µs of a request. Its
 * fields are read with `parse`.
 */
export class JsonRecord<Item> {
  constructor(
    readonly id: number,
    readonly updated_at: Timestamp,
    readonly text: string,
  ) {}

  parse(): Item {
    return JSON.parse(this.text) as Item;
  }
}

/**
 * Records that were written as JSON where they are stored, and go into an answer as they are: reading a page of 20
 * vehicles into objects, to write them out again, would cost as much as finding them.
 */
export class JsonArray<Item> {
  constructor(
    /** One JSON text for each record. */
    readonly items: readonly string[],
  ) {}

  get text(): string {
    return `[${this.items.join(",")}]`;
  }

  /** The last record; `undefined` when there is none. */
  get last(): Item | undefined {
    const text = this.items.at(-1);
    return text === undefined ? undefined : (JSON.parse(text) as Item);
  }

  parse(): Item[] {
    return JSON.parse(this.text) as Item[];
  }
}
