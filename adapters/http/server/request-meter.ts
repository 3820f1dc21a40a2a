/** Counts requests for the metrics. */
export interface RequestMeter {
  /** Counts a request that has arrived. */
  begin(): void;
  /**
   * Counts the finished requests of a route, given as its pattern; `unmatched` for requests of no route. Each ends what
   * `begin` began.
   */
  of(route: string): (method: string, status: number, seconds: number) => void;
  /** Counts a refusal by the code of its error. */
  refused(status: number, code: string): void;
}

/** For a service without metrics. */
export const NOT_COUNTED: RequestMeter = { begin() {}, of: () => () => {}, refused() {} };
