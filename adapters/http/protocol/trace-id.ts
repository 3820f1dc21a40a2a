const LENGTH = 55;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);
const SAMPLED = 1;

/** Where a request comes from, as the program that sent it follows it. */
export interface SentTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The step that sent the request: 16 hexadecimal digits. */
  readonly spanId: string;
  /** True if the sender records the trace. */
  readonly isSampled: boolean;
}

/**
 * What a request's `traceparent` header says (W3C Trace Context); `null` if it is missing or malformed. In versions
 * after 00, the header may be longer.
 */
export const sentTraceOf = (traceparent: string | null): SentTrace | null => {
  if (traceparent === null || traceparent.length < LENGTH) return null;
  const version = traceparent.slice(0, 2);
  const isWhole = traceparent.length === LENGTH || (version !== "00" && traceparent[LENGTH] === "-");
  if (!isWhole || version === "ff" || !TRACEPARENT.test(traceparent.slice(0, LENGTH))) return null;
  const [traceId, spanId] = [traceparent.slice(3, 35), traceparent.slice(36, 52)];
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(traceparent.slice(53, 55), 16) & SAMPLED) === SAMPLED };
};
