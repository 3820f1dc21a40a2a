/** Decides whether a request is recorded, from what its sender says of the trace; `null` if it says nothing. */
export type Sampler = (sent: { readonly traceId: string; readonly isSampled: boolean } | null) => boolean;

/** The last 14 digits of a trace id are the random ones (W3C Trace Context, level 2). */
const RANDOM_DIGITS = 14;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

const always: Sampler = () => true;
const never: Sampler = () => false;
/** The same trace is decided alike by all services that record this share. */
const share =
  (ratio: number): Sampler =>
  (sent) =>
    (sent === null ? Math.random() : Number.parseInt(sent.traceId.slice(-RANDOM_DIGITS), 16) / RANDOM_VALUES) < ratio;
const asSent =
  (otherwise: Sampler): Sampler =>
  (sent) =>
    sent === null ? otherwise(null) : sent.isSampled;

/** The samplers by their names in OTEL_TRACES_SAMPLER, for a share from 0 to 1. */
export const SAMPLERS = {
  always_on: () => always,
  always_off: () => never,
  traceidratio: share,
  parentbased_always_on: () => asSent(always),
  parentbased_always_off: () => asSent(never),
  parentbased_traceidratio: (ratio) => asSent(share(ratio)),
} as const satisfies Record<string, (ratio: number) => Sampler>;
export type SamplerName = keyof typeof SAMPLERS;
