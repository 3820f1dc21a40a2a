/** `vis_` and an app type, or 20 or more characters of base62: how the keys of the service begin (interface 2.4). */
const KEY_LIKE = /vis_(?:(?:web|desktop|mobile)_|[0-9A-Za-z]{20})/i;

/**
 * True for text that contains something like a key of the service. Clients put keys into other headers by mistake;
 * such text is neither logged nor stored.
 */
export const looksLikeKey = (text: string): boolean => KEY_LIKE.test(text);
