const NONCE_BYTES = 24;

/**
 * Opens the secret of a second factor that was stored by a version without secret keys. `null` if it cannot be opened.
 * It was encrypted with XChaCha20-Poly1305, with the SHA-256 of a key in the database, and was stored as hexadecimal
 * text after its nonce.
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
