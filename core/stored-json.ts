import type { Timestamp } from "./clock.ts";

/**
 * A record that the database, or the code that stores it, has already written as JSON and that goes into an answer
 * unchanged, without being read into an object first. `parse` reads its fields.
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
