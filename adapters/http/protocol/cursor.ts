import type { Position } from "../../../core/vehicles/vehicle-repository.ts";

const MAC_LENGTH = 22;

/**
 * Makes and reads cursors. A cursor is a position in a list, bound to the list's filters and signed against forgery.
 */
export interface Cursors {
  /** `binding` names the filters of the list, including the caller's scope. */
  make(position: Position, binding: string): string;
  /** The position; `null` if the cursor is forged, damaged or of another list. */
  read(cursor: string, binding: string): Position | null;
}

/** Cursors signed with HMAC-SHA-256, with a secret that all instances share. */
export const sealedCursors = (secret: string): Cursors => {
  const seal = (payload: string, binding: string): string =>
    new Bun.CryptoHasher("sha256", secret).update(`${payload}\n${binding}`).digest("base64url").slice(0, MAC_LENGTH);

  return {
    make(position, binding) {
      const payload = Buffer.from(`${position.created_at} ${position.id}`).toString("base64url");
      return `${payload}.${seal(payload, binding)}`;
    },
    read(cursor, binding) {
      const [payload = "", mac = "", ...more] = cursor.split(".");
      if (more.length > 0 || mac !== seal(payload, binding)) return null;
      const [created_at = "", id = ""] = Buffer.from(payload, "base64url").toString().split(" ");
      return { created_at, id: Number(id) };
    },
  };
};
