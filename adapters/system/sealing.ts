import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Sealing } from "../../core/sealing.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_NAME_BYTES = 6;
/** The format: the version, the name of the key, then nonce, content and tag. */
const FORM = /^s1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{38,})$/;
const MAX_LENGTH = 100_000;

const deriveKey = (secret: Uint8Array, purpose: string, bytes = KEY_BYTES): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `vehicle-inventory ${purpose}`, bytes));

interface Key {
  /** The name that identifies the key in a sealed text. */
  readonly name: string;
  readonly key: Buffer;
}

const keyOf = (secret: Uint8Array): Key => ({
  name: deriveKey(secret, "key name", KEY_NAME_BYTES).toString("base64url"),
  key: deriveKey(secret, "sealing"),
});

const partsOf = (text: string): RegExpExecArray | null => (text.length > MAX_LENGTH ? null : FORM.exec(text));

const decrypted = ({ key }: Key, content: Buffer, context: string): string | null => {
  try {
    const decipher = createDecipheriv(CIPHER, key, content.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(content.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
};

/**
 * Seals with AES-256-GCM and keys that are derived by HKDF-SHA-256 from secrets of 32 bytes. `present` is used to seal,
 * and all of them to open.
 */
export const sealingOf = (present: Uint8Array, previous: readonly Uint8Array[]): Sealing => {
  const first = keyOf(present);
  const ring = new Map([...previous.map(keyOf), first].map((key) => [key.name, key]));
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const content = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `s1.${first.name}.${content.toString("base64url")}`;
    },
    open(sealed, context) {
      const [, name = "", content = ""] = partsOf(sealed) ?? [];
      const key = ring.get(name);
      return key === undefined ? null : decrypted(key, Buffer.from(content, "base64url"), context);
    },
    isSealed: (text) => partsOf(text) !== null,
    isSealedWithCurrentKey: (text) => partsOf(text)?.[1] === first.name,
    derive: (purpose) => deriveKey(present, purpose).toString("base64url"),
  };
};
