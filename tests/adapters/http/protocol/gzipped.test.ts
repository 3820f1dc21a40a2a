import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { gzipped } from "../../../../adapters/http/protocol/gzipped.ts";
import type { Pieces } from "../../../../adapters/http/protocol/long-body.ts";

const HUNDRED = Array.from({ length: 100 }, (_, number) => `${number} `.repeat(1000));

async function* piecesOf(texts: readonly string[], left = () => {}): Pieces {
  try {
    for (const text of texts) yield Buffer.from(text);
  } finally {
    left();
  }
}

const all = async (pieces: Pieces): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces));

for (const [name, texts] of [
  ["of an empty file", []],
  ["of empty pieces", ["", "", ""]],
  ["of a short text", ["vehicles"]],
  ["of many long pieces", HUNDRED],
] as const)
  test(`gzip ${name} unpacks to the original`, async () => {
    expect(gunzipSync(await all(gzipped(piecesOf(texts)))).toString()).toBe(texts.join(""));
  });

test("each gzipped piece can be unpacked when it arrives, however few bytes it has", async () => {
  const packed = gzipped(piecesOf(["first", "second"]));
  const { value } = await packed.next();
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  void writer.write(new Uint8Array(value ?? []));
  const { value: text } = await stream.readable.getReader().read();
  expect(new TextDecoder().decode(text)).toBe("first");
  writer.abort().catch(() => {});
  await packed.return();
});

test("abandoning a gzipped stream abandons its source, and a failure of the source is passed on", async () => {
  let left = 0;
  const packed = gzipped(piecesOf(HUNDRED, () => left++));
  await packed.next();
  await packed.return();
  expect(left).toBe(1);
  async function* failing(): Pieces {
    yield Buffer.from("first");
    throw new Error("lost");
  }
  expect(all(gzipped(failing()))).rejects.toThrow("lost");
});
