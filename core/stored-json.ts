import type { Timestamp } from "./clock.ts";

const ID = /^\{"id":(\d+),/;

/** The id of a stored record, which its text begins with. */
export const idIn = (text: string): number => Number(ID.exec(text)?.[1]);

/** The text of a stored record with more fields behind its own. To parse it first would take four times as long. */
export const withFields = (text: string, fields: Readonly<Record<string, unknown>>): string =>
  `${text.slice(0, -1)},${JSON.stringify(fields).slice(1)}`;

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
