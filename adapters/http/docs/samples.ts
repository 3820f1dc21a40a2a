import type { Json } from "./schemas.ts";

/** The origin of requests in samples. The reference page replaces it with its own address. */
const SAMPLE_ORIGIN = "http://localhost:3000";

interface SampleRequest {
  readonly method: string;
  /** The path, with example values for its parameters. */
  readonly path: string;
  /** True if it needs no key. */
  readonly isOpen: boolean;
  readonly body?: object;
  /** A file that is sent instead of JSON. */
  readonly file?: { readonly type: string; readonly text: string };
}

/** A text in single quotes, for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = ({ method, path, isOpen, body, file }: SampleRequest): string =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`} "${SAMPLE_ORIGIN}${path}"`,
    ...(isOpen ? [] : ['-H "X-API-Key: $API_KEY"']),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(file === undefined ? [] : [`-H "Content-Type: ${file.type}"`, `--data-binary ${quoted(file.text)}`]),
  ].join(" \\\n  ");

const javaScript = ({ method, path, isOpen, body, file }: SampleRequest): string => {
  const type = body === undefined ? file?.type : "application/json";
  const headers = [
    ...(isOpen ? [] : [`"X-API-Key": process.env.API_KEY`]),
    ...(type ? [`"Content-Type": "${type}"`] : []),
  ];
  return [
    `const response = await fetch("${SAMPLE_ORIGIN}${path}", {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`] : []),
    ...(file ? [`  body: ${JSON.stringify(file.text)},`] : []),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.json());",
  ].join("\n");
};

const pythonOf = (value: unknown): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`)
    .join(", ")}}`;
};

const python = ({ method, path, isOpen, body, file }: SampleRequest): string =>
  [
    isOpen ? "import requests" : "import os, requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${SAMPLE_ORIGIN}${path}",`,
    ...(isOpen
      ? []
      : [`    headers={"X-API-Key": os.environ["API_KEY"]${file ? `, "Content-Type": "${file.type}"` : ""}},`]),
    ...(file === undefined ? [] : [`    data=${JSON.stringify(file.text)},`]),
    ...(body === undefined ? [] : [`    json=${pythonOf(body)},`]),
    ")",
    "response.raise_for_status()",
    "print(response.json())",
  ].join("\n");

/** The same request in curl, JavaScript and Python. Each works without changes, with a key in `API_KEY`. */
export const samplesOf = (request: SampleRequest): Json => [
  { lang: "Shell", label: "curl", source: curl(request) },
  { lang: "JavaScript", label: "JavaScript", source: javaScript(request) },
  { lang: "Python", label: "Python", source: python(request) },
];
