import { createInflateRaw } from "node:zlib";

const CHUNK_BYTES = 64 * 1024;

/** Unpacks bytes that were deflated, in chunks, each of which it makes when it is asked for. */
export async function* inflated(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  inflate.end(packed);
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
  } finally {
    inflate.destroy();
  }
}
