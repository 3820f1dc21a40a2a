/** The target of an attack. */
export interface Target {
  /** With the port. */
  readonly host: string;
  /** Keys of a dealer's website and desktop program, with the default limits. */
  readonly webKey: string;
  readonly desktopKey: string;
}

/** What one client does to keep the others from being served. */
export interface Attack {
  readonly name: string;
  readonly connections: number;
  /** False if the client sends one request on each connection and never reads the answer. */
  readonly reads: boolean;
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

const LONG_PAGE = "GET /api/vehicles?limit=1000";

/** Every attack, which is made by one client. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "long-answers",
    connections: CONNECTIONS,
    reads: true,
    request: (target) => request(LONG_PAGE, target, { headers: { "X-API-Key": target.webKey } }),
  },
  {
    name: "long-answers-unread",
    connections: 30,
    reads: false,
    request: (target) => request(LONG_PAGE, target, { headers: { "X-API-Key": target.webKey } }),
  },
  {
    name: "blanks-in-media-type",
    connections: CONNECTIONS,
    reads: true,
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
    request: (target) =>
      request("PUT /api/dealers/1", target, { headers: { ...JSON_BODY, "X-API-Key": target.desktopKey }, body: EMAIL }),
  },
  {
    name: "unknown-fields",
    connections: CONNECTIONS,
    reads: true,
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
    request: (target) => request("GET /api/vehicles/1", target, { headers: { "X-Padding": "x".repeat(HEADER_BYTES) } }),
  },
];
