/*
 * Below the ports that systems give to outgoing connections: such a one could take a port between the question whether it
 * is free and the program that listens there. Above 10080, to which browsers do not connect.
 */
const FIRST = 11_000;
const COUNT = 21_000;
/** More than a process asks for, so that processes that start together ask for others. */
const OF_A_PROCESS = 293;

let asked = 0;

const isFree = (port: number): boolean => {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
};

/** A free port of this machine, which no other test is given soon. */
export const freePort = (): number => {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + ((process.pid * OF_A_PROCESS + asked++) % COUNT);
    if (isFree(port)) return port;
  }
  throw new Error("no port is free");
};
