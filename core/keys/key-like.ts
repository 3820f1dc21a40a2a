/** `vis_` and an app type, or 20 or more characters of base62: how the keys of the service begin (contract of keys). */
const KEY_LIKE = /vis_(?:(?:web|desktop|mobile)_|[0-9A-Za-z]{20})/i;

/**
 * True for text with something in it that looks like a key of the service. Clients put keys into other headers by
 * mistake; what looks like one is neither logged nor stored.
 */
export const looksLikeKey = (text: string): boolean => KEY_LIKE.test(text);
