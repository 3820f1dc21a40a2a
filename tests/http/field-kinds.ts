/** Values that a field accepts, and values for which an error names it. */
export interface Field {
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Sent along, for fields that only make sense together. */
  readonly with?: object;
  /** The answered value, if it differs from the one sent. */
  readonly answers?: (value: unknown) => unknown;
}

const WIDE = "🚗";
/** Values that no text field accepts. */
export const NO_TEXT = [5, true, [], {}, ["x"], "nul\0", "lone \ud800", "\udfff"];
const BLANK = ["", " ", "\t\n", "\u00a0", "\u2003\u3000"];
/** Values that are not whole numbers. */
export const NO_INTEGER = [1.5, "5", "", true, [], {}, 1e300];

export const optionalText = (max: number): Field => ({
  takes: ["x", " kept as sent ", "x".repeat(max), WIDE.repeat(max), "Zoë\n«Škoda»", null],
  refuses: ["x".repeat(max + 1), WIDE.repeat(max + 1), ...NO_TEXT],
});
export const requiredText = (max: number): Field => ({
  takes: ["x", " kept as sent ", "x".repeat(max), WIDE.repeat(max)],
  refuses: [...BLANK, "x".repeat(max + 1), WIDE.repeat(max + 1), null, ...NO_TEXT],
});
export const integer = (min: number, max: number, whenNull: "takes null" | "refuses null"): Field => ({
  takes: [min, max, ...(whenNull === "takes null" ? [null] : [])],
  refuses: [min - 1, max + 1, ...NO_INTEGER, ...(whenNull === "refuses null" ? [null] : [])],
});
export const oneOf = (...words: string[]): Field => ({
  takes: words,
  refuses: ["", `${words[0]} `, words[0]?.toUpperCase(), "nonsense", null, 1, true, [], {}],
});
export const bit: Field = {
  takes: [true, false, 1, 0],
  refuses: [null, "true", "1", 2, -1, 0.5, [], {}],
  answers: (value) => (value ? 1 : 0),
};
export const flag: Field = { takes: [true, false], refuses: [null, "true", "false", [], {}] };
const LONG_HOST = "https://images.example.com/";
export const webAddress = (whenNull: "takes null" | "refuses null"): Field => ({
  takes: [
    "http://a.example.com",
    "HTTPS://images.example.com:8443/a%20b.jpg?x=1&y=ž#z",
    LONG_HOST + "x".repeat(2048 - LONG_HOST.length),
    ...(whenNull === "takes null" ? [null] : []),
  ],
  refuses: [
    "",
    " ",
    "example.com/a.jpg",
    "//example.com/a.jpg",
    "/a.jpg",
    "http://",
    "https:///a.jpg",
    "ftp://example.com/a.jpg",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "file:///etc/hosts",
    "https://exa mple.com",
    " https://example.com",
    LONG_HOST + "x".repeat(2049 - LONG_HOST.length),
    ...(whenNull === "refuses null" ? [null] : []),
    ...NO_TEXT,
  ],
});

export const email: Field = {
  takes: ["a@b", "Sales.Team+x@harbor.example.com", `${"x".repeat(254 - "@example.com".length)}@example.com`],
  refuses: [
    "",
    "a",
    "@b",
    "a@",
    "a@b@c",
    "a b@example.com",
    "a@exa mple.com",
    "a@.example.com",
    "a@example..com",
    "a@example.com.",
    `${"x".repeat(255 - "@example.com".length)}@example.com`,
    null,
    ...NO_TEXT,
  ],
};
