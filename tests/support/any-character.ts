import fc from "fast-check";

const LAST = 0x10_ff_ff;
/** Halves of pairs, which are no characters. */
const [FIRST_HALF, HALVES] = [0xd8_00, 0x8_00];

const characterAt = (place: number): string => String.fromCodePoint(place < FIRST_HALF ? place : place + HALVES);

const placeOf = (text: unknown): number => {
  const code = typeof text === "string" ? text.codePointAt(0) : undefined;
  const place = code === undefined || code < FIRST_HALF ? (code ?? -1) : code - HALVES;
  if (place < 0 || characterAt(place) !== text) throw new Error("not one character");
  return place;
};

/**
 * Any one character. The library's own `binary` is the same, but keeps a table of all million of them for as long as the
 * process lives.
 */
export const anyCharacter = fc.nat(LAST - HALVES).map(characterAt, placeOf);
