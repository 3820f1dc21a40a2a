/** The service cannot listen on an address: another program does, or the host is no address of this machine. */
export class AddressRefused extends Error {
  constructor(
    readonly isTaken: boolean,
    reason: string,
  ) {
    super(reason);
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Begins to listen. Throws AddressRefused if the address does not allow it. */
export const listening = (begin: () => void): void => {
  try {
    begin();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && error.syscall === "listen")) throw error;
    throw new AddressRefused(hasCode(error, "EADDRINUSE"), error.message);
  }
};

/**
 * Throws AddressRefused if nobody can listen on the address now. The start asks before it touches the database: a first
 * key that was made and shown by a start that then fails is shown never again.
 */
export const requireFreeAddress = (hostname: string, port: number): void => {
  try {
    Bun.listen({ hostname, port, exclusive: true, socket: { data() {} } }).stop(true);
  } catch (error) {
    throw new AddressRefused(hasCode(error, "EADDRINUSE"), error instanceof Error ? error.message : String(error));
  }
};
