/**
 * Encrypts secrets that must be read again (second factors, credentials of other services), so that somebody who has
 * only the database cannot read them. `context` names the place of a secret, such as its table and row. The secret
 * cannot be opened with any other context.
 */
export interface Sealing {
  /** Seals with the current key. */
  seal(text: string, context: string): string;
  /** The text that was sealed with the current key or a previous one. `null` for anything else. */
  open(sealed: string, context: string): string | null;
  /** True if the text is sealed with any key, known or not. */
  isSealed(text: string): boolean;
  /** True if the text is sealed with the current key. */
  isSealedWithCurrentKey(text: string): boolean;
  /**
   * Derives a key for another purpose: 32 bytes as base64url. It reveals nothing about the current key or the keys for
   * other purposes.
   */
  derive(purpose: string): string;
}
