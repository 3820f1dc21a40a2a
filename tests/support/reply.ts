/** What came back. `body` is the parsed JSON, `undefined` when there is none. */
export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}
