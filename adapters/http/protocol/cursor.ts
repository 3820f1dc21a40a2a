import type { Position } from "../../../core/vehicles/vehicle-repository.ts";

const MAC_LENGTH = 22;

/** Makes and reads cursors: a position in a list, bound to the list's filters and sealed, so that a forged one is known. */
export interface Cursors {
  /** `binding` names what the list is narrowed to, the caller's scope included. */
  make(position: Position, binding: string): string;
  /** The position, or `null` for a cursor that is forged, damaged or of another list. */
  read(cursor: string, binding: string): Position | null;
}

/** Cursors sealed with HMAC-SHA-256 under a secret that all instances share. */
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
