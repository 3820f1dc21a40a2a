import { looksLikeKey } from "../../../core/keys/key-like.ts";

const VISIBLE = /^[\x21-\x7e]+$/;
const MAX_LENGTH = 128;

/** True for the text of a key that the service knows, in any form. */
export type IsSecret = (text: string) => boolean;

/**
 * The client's request id if it is 1 to 128 visible ASCII characters, otherwise a new one. A key sent as an id is
 * replaced too: the id appears in the log, the audit log and the answer.
 */
export const requestIdOf = (sent: string | null, isSecret: IsSecret): string =>
  sent !== null && sent.length <= MAX_LENGTH && VISIBLE.test(sent) && !looksLikeKey(sent) && !isSecret(sent)
    ? sent
    : crypto.randomUUID();
