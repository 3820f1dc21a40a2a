import type { Tokens } from "../../core/sign-in/authenticator.ts";

const TOKEN_BYTES = 32;

const hashOf = (text: string): string => Bun.SHA256.hash(text, "hex");

/** Random tokens of 256 bits in base64url. The database stores only their SHA-256. */
export const tokens: Tokens = {
  issue() {
    const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");
    return { token, hash: hashOf(token) };
  },
  hashOf,
};
