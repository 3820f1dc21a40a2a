/** Counts requests, for those who watch the service. */
export interface RequestMeter {
  /** A request has come. */
  begin(): void;
  /** Counts those of a route, given as its pattern; `unmatched` are those of none. Each ends what `begin` began. */
  of(route: string): (method: string, status: number, seconds: number) => void;
  /** Counts a refusal by the code of its error. */
  refused(status: number, code: string): void;
}

/** For a service that nobody watches. */
export const NOT_COUNTED: RequestMeter = { begin() {}, of: () => () => {}, refused() {} };
