import { describe, expect, test } from "bun:test";
import { BrokenUpload } from "../../../../adapters/http/protocol/broken-upload.ts";
import { incomingBody } from "../../../../adapters/http/protocol/incoming-body.ts";
import { Problem } from "../../../../adapters/http/protocol/problem.ts";
import { requestUpload } from "../../../../adapters/http/protocol/upload.ts";
import { fakeClock } from "../../../support/clock.ts";

const MEBIBYTE = 1024 * 1024;
const PIECE = new Uint8Array(MEBIBYTE);

/** How a body is sent and read. */
interface Sending {
  readonly pieces: number;
  readonly size?: number;
  /** Milliseconds before each piece is sent. */
  readonly sentIn?: number;
  /** Milliseconds that the service spends on each piece. */
  readonly workedOn?: number;
}

/** The bytes that are read of a body, and how it ends: `whole`, or the code and message of its error. */
const read = async ({ pieces, size = MEBIBYTE, sentIn = 0, workedOn = 0 }: Sending) => {
  const clock = fakeClock();
  let left = pieces;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (left-- === 0) return controller.close();
        clock.advance(sentIn);
        controller.enqueue(PIECE.subarray(0, size));
      },
    },
    { highWaterMark: 0 },
  );
  let bytes = 0;
  try {
    for await (const piece of incomingBody(new Request("http://localhost", { method: "POST", body }), clock)) {
      bytes += piece.length;
      clock.advance(workedOn);
    }
    return { bytes, end: "whole" };
  } catch (error) {
    if (!(error instanceof BrokenUpload)) throw error;
    return { bytes, end: `${error.code}: ${error.message}` };
  }
};

describe("a body that arrives", () => {
  test("may have 128 MiB and a little for a form around it, but no more", async () => {
    expect(await read({ pieces: 128 })).toEqual({ bytes: 128 * MEBIBYTE, end: "whole" });
    expect(await read({ pieces: 1000 })).toEqual({
      bytes: 128 * MEBIBYTE,
      end: "import_file_too_large: The file is larger than 128 MiB as it is sent",
    });
  });

  test("is cut off after 30 seconds if it arrives at less than 64 KiB a second", async () => {
    expect(await read({ pieces: 30, size: 1, sentIn: 1000 })).toEqual({ bytes: 30, end: "whole" });
    const { bytes, end } = await read({ pieces: 100, size: 1, sentIn: 1000 });
    expect(bytes).toBe(30);
    expect(end).toStartWith("upload_too_slow: The file arrived at less than 64 KiB a second");
    expect(await read({ pieces: 100, size: 65_536, sentIn: 1000 })).toEqual({ bytes: 6_553_600, end: "whole" });
  });

  test("is not cut off for the service's own delays, but for taking more than 15 minutes in all", async () => {
    expect(await read({ pieces: 8, size: 1, workedOn: 100_000 })).toEqual({ bytes: 8, end: "whole" });
    const { bytes, end } = await read({ pieces: 20, size: 1, workedOn: 100_000 });
    expect(bytes).toBe(9);
    expect(end).toStartWith("upload_too_slow: The file did not arrive within 15 minutes");
  });

  test("is limited even if none of it can be decompressed", async () => {
    const [magic, name] = [Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(MEBIBYTE, "a")];
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(sent++ === 0 ? magic : name),
    });
    const request = new Request("http://localhost", { method: "POST", body, headers: { "content-type": "text/csv" } });
    const open = requestUpload(request, fakeClock());
    const upload = open instanceof Problem ? open : await open();
    if (upload instanceof Problem) throw new Error(upload.sentence);
    const fault = await Array.fromAsync(upload.pieces).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "import_file_too_large" });
  });

  test("is empty if the request has no body", async () => {
    const pieces = await Array.fromAsync(incomingBody(new Request("http://localhost"), fakeClock()));
    expect(pieces).toEqual([]);
  });
});
