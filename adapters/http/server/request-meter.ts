/** Counts requests, for those who watch the service. */
export interface RequestMeter {
  /** A request has come. */
  begin(): void;
  /** Counts those of a route, given as its pattern; `unmatched` are those of none. Each ends what `begin` began. */
  of(route: string): (method: string, status: number, code: string | null, seconds: number) => void;
}

/** For a service that nobody watches. */
export const NOT_COUNTED: RequestMeter = { begin() {}, of: () => () => {} };
