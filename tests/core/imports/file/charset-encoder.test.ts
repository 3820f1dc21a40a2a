import { expect, test } from "bun:test";
import fc from "fast-check";
import { encoderOf } from "../../../../core/imports/file/charset-encoder.ts";
import { CHARSETS } from "../../../../core/imports/file/file.ts";

for (const charset of CHARSETS)
  test(`text of ${charset} is written as it was read, and what it does not have as a question mark`, () => {
    const encode = encoderOf(charset);
    const read = (bytes: Uint8Array): string => new TextDecoder(charset).decode(bytes);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = read(bytes);
        if (charset === "windows-1252" || charset === "iso-8859-15") expect([...encode(text)]).toEqual([...bytes]);
        else expect(read(encode(text))).toBe(text);
      }),
    );
    const hasAll = charset.startsWith("utf-");
    expect(read(encode("a東€b"))).toBe(hasAll ? "a東€b" : "a?€b");
  });
