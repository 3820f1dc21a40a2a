import { timingSafeEqual } from "node:crypto";

/** The issuer as authenticator apps show it. */
const ISSUER = "Vehicle Inventory";
const SECRET_BYTES = 24;
const DIGITS = 6;
const STEP_SECONDS = 30;
/**
 * The codes of this many steps before and after the present one are also accepted, because clocks differ and typing
 * takes time.
 */
const NEIGHBOURS = 1;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 192 random bits: 32 ASCII characters, whose bytes are the key of the codes. */
export const newTotpSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");

/** The six-digit code for a counter (RFC 4226, with HMAC-SHA-1). */
export const hotpOf = (secret: string, counter: number): string => {
  const message = Buffer.alloc(8);
  message.writeBigInt64BE(BigInt(counter));
  const digest = new Bun.CryptoHasher("sha1", secret).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, "0");
};

/**
 * True for the code of this half minute or of its neighbours (RFC 6238). Takes the same time for all six-digit codes.
 */
export const isTotp = (secret: string, code: string, nowMs: number): boolean => {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return false;
  const present = Math.floor(nowMs / 1000 / STEP_SECONDS);
  let isMatch = false;
  for (let step = -NEIGHBOURS; step <= NEIGHBOURS; step++)
    isMatch = timingSafeEqual(given, Buffer.from(hotpOf(secret, present + step))) || isMatch;
  return isMatch;
};

/** A secret in the form in which people type it into an app: base32 without padding (RFC 4648). */
export const base32Of = (secret: string): string => {
  const bits = [...Buffer.from(secret)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
};

/** The address that an authenticator app reads from a QR code. `account` is the user's email address. */
export const totpUri = (secret: string, account: string): string => {
  const query = new URLSearchParams({
    secret: base32Of(secret),
    issuer: ISSUER,
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${encodeURIComponent(ISSUER)}:${encodeURIComponent(account)}?${query}`;
};
