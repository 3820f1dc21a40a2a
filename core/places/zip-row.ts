/** A ZIP code's last two digits, and where it is, in degrees. */
export interface ZipPlace {
  readonly zip: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Places are kept to this part of a degree, about a kilometre. */
const STEPS_PER_DEGREE = 100;

/** The characters of a row: printable, and none that a string of the source would have to escape. */
const DIGITS = "!#%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";
/** A number is written in digits of this base, the lowest first; the upper half of the digits says that more follow. */
const BASE = Math.floor(DIGITS.length / 2);

const written = (value: number): string => {
  // Small numbers of either sign become small numbers.
  let left = value < 0 ? -2 * value - 1 : 2 * value;
  let text = "";
  for (; left >= BASE; left = Math.floor(left / BASE)) text += DIGITS[BASE + (left % BASE)];
  return text + DIGITS[left];
};

/** The value of each digit, by its character's code; -1 for other characters. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));

/** Reads the numbers of a row one after the other. */
const reader = (row: string): { readonly isAtEnd: () => boolean; readonly next: () => number } => {
  let at = 0;
  return {
    isAtEnd: () => at >= row.length,
    next() {
      let value = 0;
      for (let weight = 1; ; weight *= BASE) {
        const digit = VALUES[row.charCodeAt(at++)] ?? -1;
        if (digit < 0) throw new Error("the table of ZIP codes is damaged");
        value += (digit % BASE) * weight;
        if (digit < BASE) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    },
  };
};

/** The ZIP codes of one start, in their order, as a text: each as its distance from the one before. */
export const zipRowOf = (places: readonly ZipPlace[]): string => {
  let [zip, latitude, longitude] = [0, 0, 0];
  let row = "";
  for (const place of places) {
    const [y, x] = [Math.round(place.latitude * STEPS_PER_DEGREE), Math.round(place.longitude * STEPS_PER_DEGREE)];
    row += written(place.zip - zip) + written(y - latitude) + written(x - longitude);
    [zip, latitude, longitude] = [place.zip, y, x];
  }
  return row;
};

/** What `zipRowOf` has written, with places to a hundredth of a degree. */
export const placesOf = (row: string): ZipPlace[] => {
  const places: ZipPlace[] = [];
  const { isAtEnd, next } = reader(row);
  let [zip, latitude, longitude] = [0, 0, 0];
  while (!isAtEnd()) {
    zip += next();
    latitude += next();
    longitude += next();
    places.push({ zip, latitude: latitude / STEPS_PER_DEGREE, longitude: longitude / STEPS_PER_DEGREE });
  }
  return places;
};
