import type { Position } from "../../../core/vehicles/vehicle-order.ts";

const MAC_LENGTH = 22;

/**
 * Makes and reads cursors. A cursor is a position in a list. It is valid only with the list's filters, and signed
 * against forgery.
 */
export interface Cursors {
  /** `binding` names the filters of the list, including the caller's scope. */
  make(position: Position, binding: string): string;
  /** The position; `null` if the cursor is forged or damaged, or belongs to another list. */
  read(cursor: string, binding: string): Position | null;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const valueIn = (text: string): Position["value"] => {
  if (text === "") return null;
  return NUMBER.test(text) ? Number(text) : text;
};

/** Cursors that are signed with HMAC-SHA-256. All instances share the secret. */
export const signedCursors = (secret: string): Cursors => {
  const sign = (payload: string, binding: string): string =>
    new Bun.CryptoHasher("sha256", secret).update(`${payload}\n${binding}`).digest("base64url").slice(0, MAC_LENGTH);

  return {
    make(position, binding) {
      const { value, id, asOf } = position;
      const parts = [value ?? "", id, ...(asOf === undefined ? [] : [asOf])];
      const payload = Buffer.from(parts.join(" ")).toString("base64url");
      return `${payload}.${sign(payload, binding)}`;
    },
    read(cursor, binding) {
      const [payload = "", mac = "", ...more] = cursor.split(".");
      if (more.length > 0 || mac !== sign(payload, binding)) return null;
      const [value = "", id = "", asOf] = Buffer.from(payload, "base64url").toString().split(" ");
      return { value: valueIn(value), id: Number(id), ...(asOf !== undefined && { asOf }) };
    },
  };
};
