const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** A part of a file; `to` is its end, exclusive. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The part of a file that a request asks for: `null` for the whole file, `"none"` for one that the file does not have.
 * A request for several parts gets the whole file, and so does one for another version (If-Range).
 */
export const byteRange = (
  headers: { get(name: string): string | null },
  { tag, bytes }: { readonly tag: string; readonly bytes: number },
): ByteRange | "none" | null => {
  const [, first, last] = RANGE.exec(headers.get("range") ?? "") ?? [];
  const version = headers.get("if-range");
  if (first === undefined || last === undefined || (version !== null && version !== tag)) return null;
  if (first === "") {
    if (last === "") return null;
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "none" : { from: bytes - length, to: bytes };
  }
  const from = Number(first);
  if (last !== "" && Number(last) < from) return null;
  return from >= bytes ? "none" : { from, to: last === "" ? bytes : Math.min(Number(last) + 1, bytes) };
};
