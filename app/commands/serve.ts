import { AddressRefused } from "../../adapters/http/server/free-address.ts";
import { compileNextExpected } from "../../core/compiled.ts";
import { compose, type Service } from "../compose.ts";
import { readConfig } from "../config.ts";
import { framedLink } from "../first-key.ts";
import { openLog } from "../log.ts";
import { lookAlikes, lookAlikeWarning } from "../look-alikes.ts";
import { shownConfig } from "../shown-config.ts";
import { VERSION } from "../version.ts";
import { CommandError } from "./exit.ts";

const isAddressInUse = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "EADDRINUSE";

const welcome = (url: string, setUpLink: string | null): string =>
  [
    `Vehicle Inventory Service is ready at ${url}`,
    `  API reference  ${url}/docs`,
    setUpLink === null ? `  Portal         ${url}/portal` : `  Set up portal  ${setUpLink}`,
    `  First request  curl ${url}/api/vehicles -H "X-API-Key: <your key>"`,
    "",
  ].join("\n");

/** The pause between two checks that are compiled ahead, in which requests are answered. */
const PAUSE_MS = 10;

/**
 * Compiles the checks of parameters while the service already answers. Otherwise the first request with many parameters
 * would keep all others waiting.
 */
const compileAhead = (): void => {
  const timer = setInterval(() => {
    if (!compileNextExpected()) clearInterval(timer);
  }, PAUSE_MS);
  timer.unref();
};

/** Serves until a signal arrives, then finishes the open requests. */
export const serveCommand = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  for (const found of lookAlikes(process.env)) log.events.warn(found, lookAlikeWarning(found));
  let service: Service;
  try {
    service = await compose(config, log);
  } catch (error) {
    if (isAddressInUse(error) || (error instanceof AddressRefused && error.isTaken))
      throw new CommandError(`port ${config.port} on ${config.host} is in use; stop what uses it or set PORT`);
    if (error instanceof AddressRefused || (error instanceof Error && "syscall" in error && error.syscall === "listen"))
      throw new CommandError(`cannot listen on ${config.host}:${config.port}: ${error.message}; check HOST and PORT`);
    throw error;
  }
  const { server, setUpLink } = service;
  // An operator who chose the first key already knows it. In that case, the set-up link is printed without a frame.
  const isFramed = config.bootstrapApiKey === null;
  if (setUpLink !== null && isFramed) process.stderr.write(`${framedLink(setUpLink)}\n`);
  process.stderr.write(welcome(server.url, isFramed ? null : setUpLink));

  const facts = { version: VERSION, url: server.url, configuration: shownConfig(config) };
  log.events.info({ ...facts, metrics_url: service.metricsUrl }, "the service has started");
  compileAhead();

  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await service.close();
    log.events.info({ ...facts, signal, uptime_seconds: Math.round(process.uptime()) }, "the service has stopped");
    await log.flush();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
};
