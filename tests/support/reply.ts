/** An answer. `body` is the parsed JSON; `undefined` if there is none. */
export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}
