const SANE = /^[\x21-\x7e]{1,128}$/;

/** The client's request id if it is 1 to 128 visible ASCII characters, or a new one. */
export const requestIdOf = (sent: string | null): string =>
  sent !== null && SANE.test(sent) ? sent : crypto.randomUUID();
