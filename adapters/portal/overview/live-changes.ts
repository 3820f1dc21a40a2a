import { useEffect, useState } from "react";
import { ApiError } from "../api/client.ts";
import { readEvents } from "../api/event-stream.ts";
import { useMay } from "../session/session.tsx";

/** A vehicle or dealer that changed, as it is now; `record` is `null` if it is gone. */
export interface LiveChange {
  readonly kind: "vehicle" | "dealer";
  readonly op: "upsert" | "remove";
  readonly id: number;
  readonly dealer_id: number;
  readonly at: string;
  readonly record: Readonly<Record<string, unknown>> | null;
}

/** Whether changes arrive: `connecting` after a failure, `busy` after too many at once. */
export type LiveState = "live" | "connecting" | "busy" | "ended";

const MAX_SHOWN = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** So many changes within this time are not looked at one by one: an import, or a change of a whole lot. */
const TOO_MANY = 100;
const BURST_MS = 10_000;

const isSame = (one: LiveChange, other: LiveChange): boolean => one.kind === other.kind && one.id === other.id;

/** The changes with another one on top: each record once, and not more than fit. */
const withChange = (changes: readonly LiveChange[], next: LiveChange): readonly LiveChange[] =>
  [next, ...changes.filter((one) => !isSame(one, next))].slice(0, MAX_SHOWN);

const pausing = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** True if another try would be refused in the same way: nobody is signed in, or they may not see it. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

interface Following {
  readonly kinds: readonly string[];
  readonly signal: AbortSignal;
  /** Where to go on; `null` with what changes from now on. */
  readonly place: { lastEventId: string | null };
  readonly onChange: (change: LiveChange) => void;
  readonly onState: (state: LiveState) => void;
}

/** Reads one stream until it ends; true if too much came at once. */
const readOne = async ({ kinds, signal, place, onChange, onState }: Following): Promise<boolean> => {
  const query = { kinds: kinds.join(","), ...(place.lastEventId === null && { after: "now" }) };
  const onOpen = (): void => onState("live");
  let begun = Date.now();
  let count = 0;
  for await (const { id, event, data } of readEvents("/changes/stream", query, { ...place, signal, onOpen })) {
    if (event === "reset") {
      place.lastEventId = null;
      return false;
    }
    if (id !== null) place.lastEventId = id;
    if (event !== "message") continue;
    if (Date.now() - begun > BURST_MS) [begun, count] = [Date.now(), 0];
    if (++count > TOO_MANY) {
      place.lastEventId = null;
      return true;
    }
    onChange(JSON.parse(data) as LiveChange);
  }
  return false;
};

/** Follows what changes until the signal aborts it: goes on behind the last event after each break. */
const follow = async (following: Following): Promise<void> => {
  const { signal, onState, place } = following;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const before = place.lastEventId;
    try {
      if (await readOne(following)) {
        onState("busy");
        await pausing(BURST_MS, signal);
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) return onState("ended");
    }
    if (signal.aborted) return;
    onState("connecting");
    pause = before === place.lastEventId ? Math.min(2 * pause, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    await pausing(pause, signal);
  }
};

const useIsHidden = (): boolean => {
  const [isHidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const look = (): void => setHidden(document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isHidden;
};

/** What changes while the page is open and visible: the latest vehicles and dealers, and whether changes arrive. */
export const useLiveChanges = () => {
  const may = useMay();
  const kinds = may("dealers:read") ? "vehicle,dealer" : "vehicle";
  const isHidden = useIsHidden();
  const [place] = useState<Following["place"]>({ lastEventId: null });
  const [changes, setChanges] = useState<readonly LiveChange[]>([]);
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    if (isHidden) return;
    const leaving = new AbortController();
    void follow({
      kinds: kinds.split(","),
      signal: leaving.signal,
      place,
      onChange: (change) => setChanges((before) => withChange(before, change)),
      onState: setState,
    });
    return () => leaving.abort();
  }, [isHidden, kinds, place]);
  return { changes, state };
};
