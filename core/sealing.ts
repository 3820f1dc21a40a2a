/**
 * Keeps secrets that must be read again (second factors, credentials of other services) so that the database alone gives
 * nothing away. `context` says where a secret belongs, such as its table and row: elsewhere it does not open.
 */
export interface Sealing {
  /** Sealed with the present key. */
  seal(text: string, context: string): string;
  /** What was sealed with the present key or one before; `null` for anything else. */
  open(sealed: string, context: string): string | null;
  /** True for what is sealed, with whatever key. */
  isSealed(text: string): boolean;
  /** True for what is sealed with the present key. */
  isPresent(text: string): boolean;
  /** A key for another purpose, as base64url of 32 bytes; it tells nothing of the present key, nor of other purposes' keys. */
  derive(purpose: string): string;
}
