import { expect, test } from "bun:test";
import { FormFault, photoInForm } from "../../../../adapters/http/protocol/photo-form.ts";

const formWith = (header: string) =>
  Buffer.from(`--B\r\nContent-Disposition: form-data; name="file"\r\n${header}\r\n\r\nphoto\r\n--B--\r\n`);
const photoWith = (header: string) => photoInForm("multipart/form-data; boundary=B", formWith(header));

test("headers of a part that are longer than any client sends are refused, and not taken apart", () => {
  expect(photoWith(`x: ${"y".repeat(8000)}`)).toEqual({ bytes: Buffer.from("photo"), fields: {} });
  expect(photoWith(`x: ${"y".repeat(8192)}`)).toEqual(
    new FormFault("file", "comes in a form that has a part with too long headers"),
  );
});

test("a field that is not known is kept by its name however often it comes; a known one comes once", () => {
  const photoBeside = (...names: readonly string[]) => {
    const part = (name: string, content: string) =>
      `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
    const form = [part("file", "photo"), ...names.map((name) => part(name, "1")), "--B--\r\n"].join("");
    return photoInForm("multipart/form-data; boundary=B", Buffer.from(form));
  };
  const bytes = Buffer.from("photo");
  expect(photoBeside("colour", "alt", "colour")).toEqual({ bytes, fields: { colour: "", alt: "1" } });
  expect(photoBeside("alt", "colour", "alt")).toEqual(new FormFault("alt", "must be one text in UTF-8"));
});
