import type { LongItems, Slice } from "../../../core/long-items.ts";
import { mapped } from "../../../core/long-items.ts";
import type { Listing } from "../../../core/page.ts";

/** The bytes of an answer, in pieces. */
export type Pieces = AsyncGenerator<Uint8Array, void>;

/** The texts before, after and between the items of a list. */
interface Framing {
  readonly start: string;
  readonly end: string;
  readonly separator: string;
}

/** A body that is an array of JSON texts. */
export const ARRAY: Framing = { start: "[", end: "]", separator: "," };

/** A body with a list that is too long to hold in memory. */
export class LongBody {
  constructor(
    /** The items as texts. When a slice is read, it may decide which slices follow. */
    readonly slices: Iterable<Slice<string>>,
    readonly framing: Framing,
    /** Changes the bytes of the pieces before they are sent. */
    readonly form: ((pieces: Pieces) => Pieces) | null = null,
  ) {}
}

/**
 * All records of a kind, as they were at one moment. It holds a database connection while it is sent, so exports have a
 * queue of their own. It is compressed for clients that accept gzip, unless it has a form that is compressed already.
 */
export class ExportBody extends LongBody {}

/** A list as the body of an answer. */
export const arrayBody = <Item>({ items, long }: Listing<Item>): readonly Item[] | LongBody =>
  long === undefined ? items : longArray(mapped(long, (item) => JSON.stringify(item)));

const longArray = ({ slices }: LongItems<string>): LongBody => new LongBody(slices, ARRAY);
