import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { signedCursors } from "../../../../adapters/http/protocol/cursor.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const SECRET = "a secret of this installation";
const cursors = signedCursors(SECRET);

const moments = fc
  .date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true })
  .map((date) => date.toISOString());
const positions = fc.record(
  {
    value: fc.oneof(
      moments,
      fc.constant(null),
      fc.nat(),
      fc.nat({ max: 10_000_000_000 }).map((cents) => cents / 100),
    ),
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    asOf: moments,
  },
  { requiredKeys: ["value", "id"] },
);
const bindings = fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed());
const POSITION = { value: "2026-11-20T09:11:00.000Z", id: 42 };

describe("a cursor", () => {
  test("returns to the position from which it was made, in the list for which it was made", () => {
    fc.assert(
      fc.property(positions, bindings, (position, binding) => {
        expect(cursors.read(cursors.make(position, binding), binding)).toEqual({ ...position });
      }),
    );
  });

  test("can be part of a query without encoding", () => {
    fc.assert(
      fc.property(positions, bindings, (position, binding) => {
        const cursor = cursors.make(position, binding);
        expect(cursor).toMatch(/^[A-Za-z0-9_.-]{1,500}$/);
      }),
    );
  });

  test("of another list, or of another caller's view of it, is refused", () => {
    fc.assert(
      fc.property(positions, bindings, bindings, (position, binding, other) => {
        fc.pre(binding !== other);
        expect(cursors.read(cursors.make(position, binding), other)).toBeNull();
      }),
    );
  });

  test("of another installation is refused", () => {
    const forger = signedCursors("a secret of another installation");
    fc.assert(
      fc.property(positions, bindings, (position, binding) => {
        expect(cursors.read(forger.make(position, binding), binding)).toBeNull();
      }),
    );
  });

  test("with any one character changed, removed or added is refused", () => {
    const cursor = cursors.make(POSITION, "list");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=%";
    const accepted: string[] = [];
    for (let at = 0; at <= cursor.length; at++) {
      const [before, behind] = [cursor.slice(0, at), cursor.slice(at)];
      for (const forged of [
        before + behind.slice(1),
        ...[...alphabet].flatMap((c) => [before + c + behind.slice(1), before + c + behind]),
      ])
        if (forged !== cursor && cursors.read(forged, "list") !== null) accepted.push(forged);
    }
    expect(accepted).toEqual([]);
  });

  test("made of the payload of one and the seal of another is refused", () => {
    const [payload] = cursors.make(POSITION, "list").split(".");
    const [, seal] = cursors.make({ ...POSITION, id: 43 }, "list").split(".");
    expect(cursors.read(`${payload}.${seal}`, "list")).toBeNull();
  });

  test("made of any other text is refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constantFrom("", ".", "..", "a.b", "a.b.c")), (text) => {
        expect(cursors.read(text, "list")).toBeNull();
      }),
    );
  });
});
