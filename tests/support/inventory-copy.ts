import type { RecordKind } from "../../core/change-feed/changed-record.ts";
import type { Api } from "./client.ts";

/** A change as the feed answers it. */
export interface FeedChange {
  readonly kind: RecordKind;
  readonly op: "upsert" | "remove";
  readonly id: number;
  readonly dealer_id: number;
  readonly at: string;
  readonly record: Readonly<Record<string, unknown>> | null;
}

/** A page of the feed. */
export interface ChangePage {
  readonly data: readonly FeedChange[];
  readonly meta: { readonly next: string; readonly more: boolean };
}

/** How many pages one reading may have. */
const MOST_PAGES = 5000;

/** A copy of the inventory, which does what the feed says as its readers do. */
export class InventoryCopy {
  readonly records = new Map<string, Readonly<Record<string, unknown>>>();
  next: string | null = null;

  constructor(
    private readonly api: Api,
    private readonly query = "",
    private readonly key?: string,
  ) {}

  /** Makes one change. Fails if a record would go back in time. */
  apply({ kind, op, id, record }: FeedChange): void {
    const name = `${kind} ${id}`;
    if (op === "remove") {
      this.records.delete(name);
      if (kind === "vehicle")
        for (const [image, { vehicle_id }] of this.records)
          if (image.startsWith("image") && vehicle_id === id) this.records.delete(image);
      return;
    }
    const before = this.records.get(name)?.updated_at;
    if (record === null) throw new Error(`${name} has no record`);
    if (typeof before === "string" && before > String(record.updated_at))
      throw new Error(`${name} went back from ${before} to ${record.updated_at}`);
    this.records.set(name, record);
  }

  /** Reads one page, and makes its changes. */
  async step(more = ""): Promise<ChangePage> {
    const after = this.next === null ? "" : `&after=${encodeURIComponent(this.next)}`;
    const path = `/api/changes?${this.query}${more}${after}`;
    const { status, text, body } = await this.api<ChangePage>(
      "GET",
      path,
      this.key === undefined ? {} : { key: this.key },
    );
    if (status !== 200) throw new Error(`${path} answered ${status} ${text}`);
    const names = body.data.map(({ kind, id }) => `${kind} ${id}`);
    if (new Set(names).size !== names.length) throw new Error(`a page has a record twice: ${names}`);
    for (const change of body.data) this.apply(change);
    this.next = body.meta.next;
    return body;
  }

  /** Reads until nothing more can be read at once. Returns all changes. */
  async catchUp(): Promise<readonly FeedChange[]> {
    const changes: FeedChange[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const { data, meta } = await this.step();
      changes.push(...data);
      if (!meta.more) return changes;
    }
    throw new Error("the feed has no end");
  }

  /** Waits for changes until `wanted` accepts those that came. */
  async waitFor(wanted: (changes: readonly FeedChange[]) => boolean): Promise<readonly FeedChange[]> {
    const changes: FeedChange[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      changes.push(...(await this.step("&wait=25")).data);
      if (wanted(changes)) return changes;
    }
    throw new Error("the feed has no end");
  }
}
