/** The target of an attack. */
export interface Target {
  /** With the port. */
  readonly host: string;
  /** Keys of a dealer's website and desktop program, with the default limits. */
  readonly webKey: string;
  readonly desktopKey: string;
  /** A key of a website, with the default limits, of the dealer whose vehicles have long texts of different words. */
  readonly wordsKey: string;
  /** A key of the same dealer that may change its vehicles, with the default limits. */
  readonly wordsWriterKey: string;
  /** The ids of some of that dealer's vehicles. */
  readonly wordsIds: readonly number[];
  /** The path of a feed of that dealer, with its token. */
  readonly wordsFeed: string;
}

/** What one client does to keep the others from being served. */
export interface Attack {
  readonly name: string;
  readonly connections: number;
  /** False if the client sends one request on each connection and never reads the answer. */
  readonly reads: boolean;
  /** The vehicles of the dealer who attacks: as long as possible, or with long texts of different words. */
  readonly lot: "longest" | "words";
  /** The whole request as bytes. `turn` makes each request different. */
  readonly request: (target: Target, turn: number) => string;
}

const CONNECTIONS = 8;
const MEBIBYTE = 1024 * 1024;
const BLANKS = 15_000;
const HEADER_BYTES = 60_000;
const FIELDS = 50_000;

const request = (
  line: string,
  { host }: Target,
  { headers, body = "" }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
): string => {
  const sent = { Host: host, ...headers, ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
};

const JSON_BODY = { "Content-Type": "application/json" };
const fromOwnPage = ({ host }: Target) => ({ Origin: `http://${host}`, "Sec-Fetch-Site": "same-origin" });

const EMAIL = JSON.stringify({
  name: "Long Motors",
  address: "1 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: `a@${"b.".repeat(500_000)}`,
});

const UNKNOWN_FIELDS = JSON.stringify(
  Object.fromEntries(Array.from({ length: FIELDS }, (_, field) => [`unknown_${field}`, 1])),
).slice(0, MEBIBYTE);

/** The last words of each text of the dealer whose vehicles have long texts. */
export const LAST_WORDS = "zebra zeppelin zephyr zero zest zigzag zinc zodiac";
const WORDS = encodeURIComponent(LAST_WORDS);

/** What the vehicles with long texts have in common. A search with a filter for each facet finds all of them. */
export const WORDY_VEHICLE = {
  ...{ make: "Toyota", model: "Camry", year: 2024, price: 20_000, mileage: 10_000, body_style: "SUV" },
  ...{ fuel_type: "Gas", transmission: "Manual", drivetrain: "AWD", condition: "used", exterior_color: "black" },
  ...{ status: "available", vin: "1HGBH41JXMN109186" },
};
const EVERY_FILTER = new URLSearchParams({
  ...{ make: "Toyota", model: "Camry", year: "2024", min_price: "1", max_mileage: "100000", body_style: "SUV" },
  ...{ fuel_type: "Gas", transmission: "Manual", drivetrain: "AWD", condition: "used", exterior_color: "black" },
  ...{ status: "available" },
}).toString();

/** An attack that only reads with the key of a website. */
const searching = (name: string, path: string): Attack => ({
  name,
  connections: CONNECTIONS,
  reads: true,
  lot: "words",
  request: (target) => request(`GET ${path}`, target, { headers: { "X-API-Key": target.wordsKey } }),
});

/** An attack that changes vehicles with long texts. `sent` makes the path, the content type and the body. */
const changing = (
  name: string,
  sent: (target: Target, turn: number) => { readonly path: string; readonly type: string; readonly body: string },
): Attack => ({
  name,
  connections: CONNECTIONS,
  reads: true,
  lot: "words",
  request: (target, turn) => {
    const { path, type, body } = sent(target, turn);
    const headers = { "X-API-Key": target.wordsWriterKey, "Content-Type": type };
    return request(`POST ${path}`, target, { headers, body });
  },
});

/** The rows of an attacker's file. */
const FILE_ROWS = 400;
const FILE_TEXT = `${"ﷺ é ".repeat(500)}${LAST_WORDS}`;
const fileOf = (turn: number): string =>
  `stock_number,make,model,year,price,description,images\n${Array.from(
    { length: FILE_ROWS },
    (_, row) => `S${row},Toyota,Camry,2024,${20_000 + turn},${FILE_TEXT} ${turn},${"1 ".repeat(20)}`,
  ).join("\n")}`;

const LONG_PAGE = "GET /api/vehicles?limit=1000";

/** Every attack, which is made by one client. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "long-answers",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target) => request(LONG_PAGE, target, { headers: { "X-API-Key": target.webKey } }),
  },
  {
    name: "long-answers-unread",
    connections: 30,
    reads: false,
    lot: "longest",
    request: (target) => request(LONG_PAGE, target, { headers: { "X-API-Key": target.webKey } }),
  },
  {
    name: "blanks-in-media-type",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target) =>
      request("POST /portal/api/sign-in", target, {
        headers: { ...fromOwnPage(target), "Content-Type": `application/json${" ".repeat(BLANKS)}x` },
        body: "{}",
      }),
  },
  {
    name: "long-email",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target) =>
      request("PUT /api/dealers/1", target, { headers: { ...JSON_BODY, "X-API-Key": target.desktopKey }, body: EMAIL }),
  },
  {
    name: "unknown-fields",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target) =>
      request("POST /api/vehicles", target, {
        headers: { ...JSON_BODY, "X-API-Key": target.desktopKey },
        body: UNKNOWN_FIELDS,
      }),
  },
  {
    name: "sign-ins",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target, turn) =>
      request("POST /portal/api/sign-in", target, {
        headers: { ...JSON_BODY, ...fromOwnPage(target) },
        body: JSON.stringify({ email: `person${turn}@example.com`, password: `a wrong password ${turn}` }),
      }),
  },
  {
    name: "long-headers",
    connections: CONNECTIONS,
    reads: true,
    lot: "longest",
    request: (target) => request("GET /api/vehicles/1", target, { headers: { "X-Padding": "x".repeat(HEADER_BYTES) } }),
  },
  searching("facets-by-words", `/api/vehicles/facets?q=${WORDS}&${EVERY_FILTER}`),
  searching("lists-by-words", `/api/vehicles?q=${WORDS}&sort=-updated&limit=20`),
  searching("long-pages-by-words", `/api/vehicles?q=${WORDS}&limit=1000`),
  searching("suggestions-by-words", `/api/vehicles/suggestions?q=${WORDS}&limit=20`),
  searching("exports-by-words", `/api/vehicles/export?format=ndjson&q=${WORDS}`),
  {
    name: "feeds",
    connections: CONNECTIONS,
    reads: true,
    lot: "words",
    request: (target) => request(`GET ${target.wordsFeed}`, target, { headers: {} }),
  },
  changing("imports", (_, turn) => ({ path: "/api/imports", type: "text/csv", body: fileOf(turn) })),
  changing("bulk-changes", ({ wordsIds }, turn) => ({
    path: "/api/vehicles/bulk",
    type: "application/json",
    body: JSON.stringify({ ids: wordsIds, changes: { description: `${FILE_TEXT} ${turn}` } }),
  })),
  searching("lists-by-vin", `/api/vehicles?vin=${WORDY_VEHICLE.vin}&sort=-updated&limit=20`),
];
