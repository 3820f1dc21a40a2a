import type { FeedTokens } from "../../core/feeds/feed-tokens.ts";

const TOKEN_BYTES = 32;

const hashOf = (token: string): string => Bun.SHA256.hash(token, "hex");

/** Tokens of 256 random bits, with characters that need no escaping in an address. */
export const feedTokens: FeedTokens = {
  issue() {
    const token = crypto
      .getRandomValues(new Uint8Array(TOKEN_BYTES))
      .toBase64({ alphabet: "base64url", omitPadding: true });
    return { token, hash: hashOf(token) };
  },
  hashOf,
};
