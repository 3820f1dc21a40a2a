import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BrokenUpload } from "../../../../adapters/http/protocol/broken-upload.ts";
import { filePartOf } from "../../../../adapters/http/protocol/multipart.ts";

const BOUNDARY = "----form'5a";
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;
const MARK = `\r\n--${BOUNDARY}`;

/** Bytes in pieces of a size, and how many pieces were read. */
const sent = (bytes: Uint8Array, size: number) => {
  const asked = { pieces: 0, isOver: false };
  const pieces = (async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        asked.pieces++;
        yield bytes.subarray(at, at + size);
      }
    } finally {
      asked.isOver = true;
    }
  })();
  return { asked, pieces };
};

const formOf = (
  content: Uint8Array | string,
  { disposition = 'form-data; name="file"; filename="cars.csv"', more = "", after = "--\r\n" } = {},
): Uint8Array =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from(`${MARK}${after}`),
  ]);

const read = async (form: Uint8Array | string, { size = 64 * 1024, type = TYPE } = {}) => {
  const part = await filePartOf(type, sent(Buffer.from(form), size).pieces);
  const pieces: Uint8Array[] = [];
  for await (const piece of part.bytes) pieces.push(piece);
  return { ...part, bytes: Buffer.concat(pieces) };
};

describe("the file of a form", () => {
  test("is the content of its part, to the byte, in whatever chunks it arrives", async () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const marks = fc
      .constantFrom("\r\n", "\r\n--", MARK.slice(0, -1), `--${BOUNDARY}`, "\r")
      .map((text) => Buffer.from(text));
    const contents = fc.array(fc.oneof(bytes, marks), { maxLength: 8 }).map((parts) => Buffer.concat(parts));
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 90 }), async (content, size) => {
        fc.pre(!content.includes(MARK) && !`\r\n`.concat(content.toString("latin1")).startsWith(MARK));
        expect((await read(formOf(content), { size })).bytes.equals(content)).toBe(true);
      }),
    );
  });

  const NAMES = [
    ['name="file"; filename="cars.csv"', "cars.csv"],
    ["name=file; filename=cars.csv", "cars.csv"],
    ['name="file"', null],
    ['name="file"; filename=""', null],
    ['name="file"; filename="C:\\\\lot\\\\cars.csv"', "cars.csv"],
    ['name="file"; filename="../../etc/cars.csv"', "cars.csv"],
    ['name="file"; filename="say \\"so\\".csv"', 'say "so".csv'],
    ['name="file"; filename="x.csv"; filename*=UTF-8\'\'%C3%9Cbersicht.csv', "Übersicht.csv"],
    ['name="file"; filename="x.csv"; filename*=UTF-8\'\'%ff', "x.csv"],
    ['filename="a; name=other.csv"; name="file"', "a; name=other.csv"],
  ] as const;
  for (const [disposition, name] of NAMES)
    test(`of ${disposition} is called ${name}`, async () => {
      expect((await read(formOf("x", { disposition: `form-data; ${disposition}` }))).fileName).toBe(name);
    });

  test("has its own media type and encoding", async () => {
    const more = "content-type: text/csv; charset=windows-1252\r\nCONTENT-ENCODING: gzip\r\n";
    expect(await read(formOf("x", { more }))).toMatchObject({
      type: "text/csv; charset=windows-1252",
      encoding: "gzip",
    });
  });

  test("may follow a preamble, and its boundary may have trailing blanks", async () => {
    const form = `hello\r\n${Buffer.from(formOf("x")).toString().replace(`${BOUNDARY}\r\n`, `${BOUNDARY} \t\r\n`)}`;
    expect((await read(form)).bytes.toString()).toBe("x");
  });

  const OTHER = 'Content-Disposition: form-data; name="mode"\r\n\r\ncreate';
  const REFUSED = [
    ["without a boundary", "x", "names no boundary", "multipart/form-data"],
    ["with a boundary of no such signs", "x", "names no boundary", "multipart/form-data; boundary=é"],
    ["without a part", `--${BOUNDARY}--\r\n`, 'no part "file"', TYPE],
    ["that is empty", "", 'no part "file"', TYPE],
    ["of another boundary", formOf("x"), 'no part "file"', "multipart/form-data; boundary=other"],
    ["with another part before the file", `--${BOUNDARY}\r\n${OTHER}${MARK}--\r\n`, 'not "mode"', TYPE],
    ["with another part behind the file", formOf("x", { after: `\r\n${OTHER}${MARK}--` }), '"file" alone', TYPE],
    ["whose headers do not end", `--${BOUNDARY}\r\n${"a: b\r\n".repeat(10_000)}`, "headers do not end", TYPE],
    ["whose headers are too long", formOf("x", { more: `${"a: b\r\n".repeat(2_000)}` }), "headers do not end", TYPE],
    ["that was cut off", formOf("x".repeat(200)).subarray(0, 250), "did not arrive whole", TYPE],
    ["that was cut off at its boundary", formOf("x", { after: "" }), "did not arrive whole", TYPE],
  ] as const;
  for (const [name, form, words, type] of REFUSED)
    test(`of a form ${name} is refused`, async () => {
      const error = await read(form, { type }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BrokenUpload);
      expect((error as Error).message).toContain(words);
    });

  test("is read while it arrives, and no further than its reader wants", async () => {
    const { asked, pieces } = sent(formOf("x".repeat(100_000)), 1000);
    const part = await filePartOf(TYPE, pieces);
    expect(asked.pieces).toBe(1);
    for await (const _ of part.bytes) break;
    expect(asked.pieces).toBeLessThan(4);
    expect(asked.isOver).toBe(true);
  });

  test("may contain any number of texts similar to the boundary", async () => {
    const almost = MARK.slice(0, -1);
    const content = almost.repeat(100_000);
    expect((await read(formOf(content), { size: 4096 })).bytes.length).toBe(content.length);
  });
});
