const NONCE_BYTES = 24;

/**
 * Opens a second factor's secret that a version without secret key stored; `null` if it cannot be opened. It was sealed
 * with XChaCha20-Poly1305 under the SHA-256 of a key in the database, and stored as hexadecimal text behind its nonce.
 */
export const openLegacySecret = async (key: string, sealed: string): Promise<string | null> => {
  const { xchacha20poly1305 } = await import("@noble/ciphers/chacha.js");
  const bytes = Buffer.from(sealed, "hex");
  try {
    const cipher = xchacha20poly1305(
      new Bun.CryptoHasher("sha256").update(key).digest(),
      bytes.subarray(0, NONCE_BYTES),
    );
    return new TextDecoder().decode(cipher.decrypt(bytes.subarray(NONCE_BYTES)));
  } catch {
    return null;
  }
};
