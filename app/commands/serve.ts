import { AddressRefused } from "../../adapters/http/server/free-address.ts";
import { compileAhead } from "../compile-ahead.ts";
import { compose, type Service } from "../compose.ts";
import { type Config, readConfig } from "../config.ts";
import { openLog } from "../log.ts";
import { lookAlikes, lookAlikeWarning } from "../look-alikes.ts";
import { shownConfig } from "../shown-config.ts";
import { VERSION } from "../version.ts";
import { welcome } from "../welcome.ts";
import { CommandError } from "./exit.ts";

/** The error for an address on which the service cannot listen, in one line. */
const refusalOf = ({ isTaken, message }: AddressRefused, { host, port }: Pick<Config, "host" | "port">): CommandError =>
  new CommandError(
    isTaken
      ? `port ${port} on ${host} is in use; stop what uses it or set PORT`
      : `cannot listen on ${host}:${port}: ${message}; check HOST and PORT`,
  );

/** Serves until a signal arrives, then finishes the open requests. */
export const serveCommand = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  for (const found of lookAlikes(process.env)) log.events.warn(found, lookAlikeWarning(found));
  let service: Service;
  try {
    service = await compose(config, log);
  } catch (error) {
    if (error instanceof AddressRefused) throw refusalOf(error, config);
    throw error;
  }
  const { server, setUpLink } = service;
  process.stderr.write(welcome({ url: server.url, setUpLink, hasOwnKey: config.bootstrapApiKey !== null }));

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
