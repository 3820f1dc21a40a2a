import { Histogram } from "./histogram.ts";
import type { Registry, Sample } from "./registry.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const FIRST_REFUSED = 400;
const STATUSES = 600;
/**
 * The maximum numbers of pairs of a route and a status that have their own distribution. Refusals have a separate
 * maximum, because callers without a key can cause many of them. All others are counted together, by status, so that
 * every request is counted.
 */
const MAX_SERIES = { answered: 110, refused: 70, others: 20 } as const;
const OTHERS = "other";

/** Counts one request of a route, and its duration. */
type CountRequest = (method: string, status: number, seconds: number) => void;

/** Measures requests by route and status, requests in progress, and refusals by code. */
export const requestMeter = (registry: Registry) => {
  const histogram = new Histogram(MAX_SERIES.answered + MAX_SERIES.refused + MAX_SERIES.others);
  const left = { answered: MAX_SERIES.answered, refused: MAX_SERIES.refused, others: MAX_SERIES.others - 1 };
  const ofOthers = new Map<number, number>();
  const codes = new Map<string, number>();
  const routes = new Map<string, CountRequest>();
  let [active, limited] = [0, 0];
  const unknownStatus = histogram.add({
    http_request_method: "_OTHER",
    http_route: OTHERS,
    http_response_status_code: "0",
  });

  const otherSeries = (status: number): number => {
    const known = ofOthers.get(status);
    if (known !== undefined) return known;
    if (left.others-- <= 0) return unknownStatus;
    const labels = { http_request_method: "_OTHER", http_route: OTHERS, http_response_status_code: String(status) };
    const place = histogram.add(labels);
    ofOthers.set(status, place);
    return place;
  };

  const seriesOf = (route: string, method: string, status: number): number => {
    const kind = status < FIRST_REFUSED ? "answered" : "refused";
    if (left[kind] <= 0) return otherSeries(status);
    left[kind]--;
    return histogram.add({
      http_request_method: method,
      http_route: route,
      http_response_status_code: String(status),
    });
  };

  registry.histogram("http_server_request_duration_seconds", "From a request's headers to its answer.", () =>
    histogram.samples(),
  );
  registry.gauge("http_server_active_requests", "Requests under way.", () => active);
  registry.counter("inventory_rate_limited_total", "Requests answered 429.", () => limited);
  registry.counter("inventory_denied_total", "Requests answered 401 or 403, by the error's code.", () =>
    [...codes].map(([code, value]): Sample => ({ labels: { code }, value })),
  );

  return {
    /** A request has arrived. */
    begin(): void {
      active++;
    },

    /** Returns the counter of a route. `route` is the pattern of the route. */
    of(route: string): CountRequest {
      const known = routes.get(route);
      if (known !== undefined) return known;
      const byMethod = new Map<string, Int16Array>();
      const seriesByStatus = (sent: string): Int16Array => {
        const method = METHODS.has(sent) ? sent : "_OTHER";
        const existing = byMethod.get(method);
        if (existing !== undefined) return existing;
        const made = new Int16Array(STATUSES).fill(-1);
        byMethod.set(method, made);
        return made;
      };
      const count: CountRequest = (sent, status, seconds) => {
        active--;
        const places = byMethod.get(sent) ?? seriesByStatus(sent);
        let place = places[status] ?? unknownStatus;
        if (place === -1) {
          place = seriesOf(route, METHODS.has(sent) ? sent : "_OTHER", status);
          places[status] = place;
        }
        histogram.observe(place, seconds);
      };
      routes.set(route, count);
      return count;
    },

    /** Counts a refusal by the code of its error. */
    refused(status: number, code: string): void {
      if (status === 429) limited++;
      else if (status === 401 || status === 403) codes.set(code, (codes.get(code) ?? 0) + 1);
    },
  };
};
