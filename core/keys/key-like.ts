/**
 * The beginning of the service's keys: `vis_` with an app type, or with at least 20 base62 characters (interface 2.4).
 */
const KEY_LIKE = /vis_(?:(?:web|desktop|mobile)_|[0-9A-Za-z]{20})/i;

/**
 * True if the text contains something that looks like a key of the service. Clients put keys into other headers by
 * mistake. Such text is neither logged nor stored.
 */
export const looksLikeKey = (text: string): boolean => KEY_LIKE.test(text);
