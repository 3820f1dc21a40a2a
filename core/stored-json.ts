import type { Timestamp } from "./clock.ts";

/** A record that storage returns as JSON text. Answers contain the text unchanged. `parse` reads its fields. */
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
 * Records that storage returns as JSON texts. Answers contain the texts unchanged: parsing a page of 20 vehicles only
 * to serialize it again would cost as much as finding them.
 */
export class JsonArray<Item> {
  constructor(
    /** One JSON text for each record. */
    readonly items: readonly string[],
  ) {}

  get text(): string {
    return `[${this.items.join(",")}]`;
  }

  /** The last record, or `undefined` if there is none. */
  get last(): Item | undefined {
    const text = this.items.at(-1);
    return text === undefined ? undefined : (JSON.parse(text) as Item);
  }

  parse(): Item[] {
    return JSON.parse(this.text) as Item[];
  }
}
