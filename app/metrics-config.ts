import { ConfigError, type Environment } from "./config-error.ts";
import { RANDOM_HEX, requireVariety, wholeNumber } from "./config-values.ts";

/** How metrics can be read. Both ways may be open. */
export interface MetricsConfig {
  /** A separate listener; `null` if there is none. */
  readonly listener: { readonly host: string; readonly port: number } | null;
  /**
   * The token with which `/metrics` can be read on the service's port; `null` if it cannot. The listener requires the
   * token, too.
   */
  readonly token: string | null;
}

const MAX_PORT = 65_535;
const HOST = /^[A-Za-z0-9.:_-]{1,255}$/;
/** A token that a header can contain and that nobody can guess. */
const TOKEN = /^[\x21-\x7e]{32,256}$/;

/** Reads METRICS_PORT, METRICS_HOST and METRICS_TOKEN; `null` if metrics are off. */
export const metricsOf = (environment: Environment): MetricsConfig | null => {
  const { METRICS_PORT: portText, METRICS_HOST: host = "127.0.0.1", METRICS_TOKEN: token = null } = environment;
  const port = portText === undefined ? null : wholeNumber(portText, MAX_PORT);
  if (portText !== undefined && port === null)
    throw new ConfigError("METRICS_PORT", `must be a whole number from 0 to ${MAX_PORT}`, "9464");
  if (!HOST.test(host))
    throw new ConfigError("METRICS_HOST", "must be an address or host name to listen on", "0.0.0.0");
  if (token !== null && !TOKEN.test(token))
    throw new ConfigError("METRICS_TOKEN", "must be 32 to 256 visible ASCII characters", RANDOM_HEX);
  if (token !== null) requireVariety("METRICS_TOKEN", token);
  if (environment.METRICS_HOST !== undefined && port === null)
    throw new ConfigError("METRICS_PORT", "is required with METRICS_HOST", "9464");
  if (port === null && token === null) return null;
  return { listener: port === null ? null : { host, port }, token };
};
