/** How to reach the service. */
export interface InventoryOptions {
  /** The key of the API; or a function that gives it before each try, for keys that are rotated. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** The address of the service, such as `https://cars.example.com`. */
  readonly baseUrl: string;
  /** Sent as `X-App-Type`, which an operator can require. */
  readonly appType?: "web" | "desktop" | "mobile";
  /** How long a call may take with all of its tries, in milliseconds. Default: 5 minutes. */
  readonly timeout?: number;
  /** How long a try may take, in milliseconds. Default: 60 seconds. A file that is sent has as long as the call. */
  readonly tryTimeout?: number;
  /** How often a call is tried at most. Default: 6. */
  readonly tries?: number;
  /** Used in place of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What a single call may say besides its input. */
export interface CallOptions {
  /** Ends the call, and the waiting between its tries. */
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly tryTimeout?: number;
  readonly tries?: number;
  /** Sent beside the client's own headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a change may say besides. */
export interface ChangeOptions extends CallOptions {
  /**
   * The name of this change. Without it, each call has a new one, which is the same at all of its tries. Give one that
   * you have stored to send a change again after your program was restarted.
   */
  readonly idempotencyKey?: string;
}

/** A record as it was read, or its entity tag. */
export type Version = string | { readonly id?: number; readonly updated_at: string };

/** What a change of a record that has versions may say besides. */
export interface VersionedOptions extends ChangeOptions {
  /** The record as you read it. If it has changed since, nothing is changed: `PreconditionFailed`. */
  readonly ifMatch?: Version;
}
