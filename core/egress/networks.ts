/** A block of addresses: those whose first `bits` bits are those of `first`. */
export interface Network {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly bits: number;
}

type Address = Omit<Network, "bits">;

const WIDTH = { 4: 32, 6: 128 } as const;
const OCTET = 8n;
const GROUP = 16n;
const GROUPS = 8;

/** An address of four numbers, each without leading zeros. */
const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const v4Of = (text: string): bigint | null =>
  V4.test(text) ? text.split(".").reduce((sum, octet) => (sum << OCTET) | BigInt(octet), 0n) : null;

/** Groups of hexadecimal digits, the last two perhaps written as an address of version 4; `null` if one is neither. */
const groupsOf = (text: string): readonly bigint[] | null => {
  if (text === "") return [];
  const groups: bigint[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const tail = index === parts.length - 1 ? v4Of(part) : null;
    if (tail !== null) groups.push(tail >> GROUP, tail & 0xffffn);
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
};

const v6Of = (text: string): bigint | null => {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(groupsOf);
  if (head === undefined || head === null || tail === null) return null;
  const left = GROUPS - head.length - (tail?.length ?? 0);
  if (tail === undefined ? left !== 0 : left < 1) return null;
  const all = [...head, ...new Array<bigint>(left).fill(0n), ...(tail ?? [])];
  return all.reduce((sum, group) => (sum << GROUP) | group, 0n);
};

/** The address that a text is, written as resolvers write it; `null` for any other, such as one with a zone. */
const addressOf = (text: string): Address | null => {
  const v4 = v4Of(text);
  if (v4 !== null) return { version: 4, first: v4 };
  const v6 = text.includes(":") ? v6Of(text) : null;
  return v6 === null ? null : { version: 6, first: v6 };
};

/**
 * The network that a text names: `10.1.0.0/16`, `fd00::/8`, or a single address. `null` for other texts, also for one
 * whose address has bits behind those of the network.
 */
export const networkOf = (text: string): Network | null => {
  const [address = "", length, ...more] = text.split("/");
  const found = addressOf(address);
  if (found === null || more.length > 0) return null;
  const width = WIDTH[found.version];
  if (length === undefined) return { ...found, bits: width };
  const bits = /^(?:0|[1-9]\d{0,2})$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= width)) return null;
  const behind = BigInt(width - bits);
  return (found.first >> behind) << behind === found.first ? { ...found, bits } : null;
};

const holds = ({ version, first, bits }: Network, address: Address): boolean => {
  const behind = BigInt(WIDTH[version] - bits);
  return version === address.version && first >> behind === address.first >> behind;
};

/** What nobody outside may make the service connect to: [network, what it is]. */
export const REFUSED_NETWORKS: readonly (readonly [network: string, what: string])[] = [
  ["0.0.0.0/8", "this machine"],
  ["10.0.0.0/8", "a private network"],
  ["100.64.0.0/10", "a provider's own network"],
  ["127.0.0.0/8", "this machine"],
  ["168.63.129.16/32", "a cloud's own service"],
  ["169.254.0.0/16", "a link-local network"],
  ["172.16.0.0/12", "a private network"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "for documentation"],
  ["192.88.99.0/24", "a relay to other networks"],
  ["192.168.0.0/16", "a private network"],
  ["198.18.0.0/15", "for measurements"],
  ["198.51.100.0/24", "for documentation"],
  ["203.0.113.0/24", "for documentation"],
  ["224.0.0.0/4", "a group of machines"],
  ["240.0.0.0/4", "reserved"],
  // The first that holds an address says what it is; whatever is not 2000::/3 ends as reserved.
  ["::/128", "this machine"],
  ["::1/128", "this machine"],
  ["::ffff:0:0/96", "an address of version 4 in another form"],
  ["64:ff9b::/96", "an address of version 4 in another form"],
  ["64:ff9b:1::/48", "an address of version 4 in another form"],
  ["::/3", "reserved"],
  ["2001::/32", "an address of version 4 in another form"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "for documentation"],
  ["2002::/16", "an address of version 4 in another form"],
  ["3fff::/20", "for documentation"],
  ["4000::/2", "reserved"],
  ["fc00::/7", "a private network"],
  ["fe80::/10", "a link-local network"],
  ["fec0::/10", "a private network"],
  ["ff00::/8", "a group of machines"],
  ["8000::/1", "reserved"],
];

const REFUSED = REFUSED_NETWORKS.map(([text, what]) => {
  const network = networkOf(text);
  if (network === null) throw new Error(`${text} is no network`);
  return { network, what };
});

/** True if one of the networks holds the address. */
export const isWithin = (text: string, networks: readonly Network[]): boolean => {
  const address = addressOf(text);
  return address !== null && networks.some((network) => holds(network, address));
};

/** Why the service does not connect to an address; `null` if it may, also as `allowed` networks hold it. */
export const refusalOf = (text: string, allowed: readonly Network[]): string | null => {
  const address = addressOf(text);
  if (address === null) return "not an address";
  if (allowed.some((network) => holds(network, address))) return null;
  return REFUSED.find(({ network }) => holds(network, address))?.what ?? null;
};

const MAPPED = 0xffffn;
const V4_BITS = 32n;

/**
 * True if one of the networks holds the address of a client. An address of version 4 that is written as one of version 6
 * is one of version 4.
 */
export const isClientWithin = (text: string, networks: readonly Network[]): boolean => {
  const address = addressOf(text);
  if (address === null) return false;
  const isMapped = address.version === 6 && address.first >> V4_BITS === MAPPED;
  const plain: Address = isMapped ? { version: 4, first: address.first & 0xffffffffn } : address;
  return networks.some((network) => holds(network, plain));
};

/** True if every address of `network` is one of `outer`. */
export const isPartOf = (network: Network, outer: Network): boolean =>
  outer.bits <= network.bits && holds(outer, network);
