const LENGTH = 55;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);

/**
 * The trace id in a request's `traceparent` header (W3C Trace Context); `null` if it is missing or malformed. In
 * versions after 00, the header may be longer.
 */
export const traceIdOf = (traceparent: string | null): string | null => {
  if (traceparent === null || traceparent.length < LENGTH) return null;
  const version = traceparent.slice(0, 2);
  const isWhole = traceparent.length === LENGTH || (version !== "00" && traceparent[LENGTH] === "-");
  if (!isWhole || version === "ff" || !TRACEPARENT.test(traceparent.slice(0, LENGTH))) return null;
  const traceId = traceparent.slice(3, 35);
  return traceId === NO_TRACE || traceparent.slice(36, 52) === NO_SPAN ? null : traceId;
};
