/**
 * The address of a photo that this service holds is stored without the base, so that the service can move to another
 * address: `photo:<account_hash>/<image_id>/<variant>`. No client can send such an address, as it is not http.
 */
const MARK = "photo:";
const OWN = /^photo:([0-9a-f]{32})\/([0-9a-f]{32})\/(public|thumbnail|medium|large)$/;
const IN_LIST = /(^| )photo:/g;

/** What an own address names. */
export interface OwnAddress {
  readonly accountHash: string;
  readonly photoId: string;
}

/** True for the stored address of a photo that this service holds. */
export const isOwnAddress = (stored: string): boolean => stored.startsWith(MARK);

/** What a stored address names; `null` if the image is not a photo of this service. */
export const ownAddressIn = (stored: string): OwnAddress | null => {
  const [, accountHash, photoId] = OWN.exec(stored) ?? [];
  return accountHash === undefined || photoId === undefined ? null : { accountHash, photoId };
};

/** The stored address of a photo. */
export const storedAddressOf = ({ accountHash, photoId }: OwnAddress): string =>
  `${MARK}${accountHash}/${photoId}/public`;

/** The stored form of an address that begins with the base. Any other address stays. */
export const storedForm = (base: string, address: string): string =>
  address.startsWith(`${base}/`) ? `${MARK}${address.slice(base.length + 1)}` : address;

/** The address as it is answered: with the base, if it is an own one. */
export const shownAddress = (base: string, stored: string): string =>
  stored.startsWith(MARK) ? `${base}/${stored.slice(MARK.length)}` : stored;

/** The same for addresses in a list that is separated by spaces. */
export const shownAddresses = (base: string, stored: string): string =>
  stored.includes(MARK) ? stored.replaceAll(IN_LIST, `$1${base}/`) : stored;

/** Puts the base in front of own addresses; for adapters, which do not know it. */
export type ShownAddresses = (stored: string) => string;

/** Shows addresses as they are stored, for callers that answer none. */
export const AS_STORED: ShownAddresses = (stored) => stored;

/** The same for a value that may be a list of addresses. Any other value stays. */
export const shownList = <Value>(shown: ShownAddresses, value: Value): Value =>
  (Array.isArray(value) ? value.map((one) => (typeof one === "string" ? shown(one) : one)) : value) as Value;

/** True for the path behind the base that names a variant of a photo. */
export const isOwnPath = (path: string): boolean => OWN.test(`${MARK}${path}`);

/** What is wrong with an address that names no photo of the vehicle's dealer. */
export const FOREIGN_PHOTO = "must name a photo of this dealer, or be an address elsewhere";
