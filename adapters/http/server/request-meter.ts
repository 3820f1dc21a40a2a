/** Counts requests for the metrics. */
export interface RequestMeter {
  /** Counts a request that has arrived. */
  begin(): void;
  /**
   * Counts the finished requests of a route. The route is given as its pattern, or as `unmatched` for requests without
   * a route. Each call ends a request that `begin` has counted.
   */
  of(route: string): (method: string, status: number, seconds: number) => void;
  /** Counts a refusal by the code of its error. */
  refused(status: number, code: string): void;
}

/** Counts nothing. It is for a service without metrics. */
export const NOT_COUNTED: RequestMeter = { begin() {}, of: () => () => {}, refused() {} };
