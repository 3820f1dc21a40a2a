/** The part of an IPv6 address that a provider assigns to one customer: the first four groups. */
const network = (address: string): string => {
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
};

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
/** Longer texts are not addresses and are cut off. The longest address has 53 characters, with brackets and a port. */
const MAX_CHARACTERS = 60;

/**
 * The entry that the proxy `hops` away has added to X-Forwarded-For; the first entry if the list is shorter. It reads
 * no further.
 */
const forwardedBy = (list: string, hops: number): string => {
  let end = list.length;
  for (let hop = 1; ; hop++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    if (comma === -1 || hop >= hops) return list.slice(comma + 1, end).trim();
    end = comma;
  }
};

/**
 * The address of a client. Behind `hops` trusted proxies, it is the address that the outermost of them saw, counted
 * from the right of X-Forwarded-For. Entries further left may be forged.
 */
export const clientAddress = (peer: string | null, forwardedFor: string | null, hops: number): string => {
  const sent = hops > 0 && forwardedFor !== null ? forwardedBy(forwardedFor, hops) : (peer ?? "");
  const address = sent.slice(0, MAX_CHARACTERS);
  const plain = MAPPED.exec(address)?.[1] ?? PORT.exec(address)?.[1] ?? address;
  return plain.includes(":") ? plain.replace(/^\[|\](:\d+)?$/g, "") : plain;
};

let lastPeer = "";
let lastPeerAddress = "";

/**
 * The address of a connection. It is cached, as most requests come from the same address: that of a proxy or a busy
 * client.
 */
const peerAddress = (peer: string): string => {
  if (peer !== lastPeer) {
    lastPeerAddress = clientAddress(peer, null, 0);
    lastPeer = peer;
  }
  return lastPeerAddress;
};

/** The client address of a request, behind this many trusted proxies. */
export const addressOfRequest = (
  request: Request,
  peerOf: (request: Request) => string | null,
  hops: number,
): string => {
  const forwardedFor = hops === 0 ? null : request.headers.get("x-forwarded-for");
  // Asking for the address of the connection is a system call. It is not needed behind a proxy that names the client.
  return forwardedFor === null ? peerAddress(peerOf(request) ?? "") : clientAddress(null, forwardedFor, hops);
};

/** The key under which limits count a client: its IPv4 address, or its IPv6 network. */
export const limitedAddress = (address: string): string => (address.includes(":") ? network(address) : address);
