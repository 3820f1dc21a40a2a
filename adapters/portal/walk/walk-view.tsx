import { Button } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { keepPhotos } from "./keep-page.ts";
import { RefusedActions } from "./refused-actions.tsx";
import type { Walk } from "./walk.ts";
import { WalkCard } from "./walk-card.tsx";
import { WalkFrame } from "./walk-frame.tsx";
import { presentVehicle, progressOf, waitingActions } from "./walk-state.ts";
import { sendingInWords } from "./walk-words.ts";

/** Sends what waits whenever there may be somebody who answers. */
const useSending = (walk: Walk): void => {
  const { sending } = useSyncExternalStore(walk.subscribe, walk.read);
  const seconds = sending.is === "later" ? sending.seconds : null;
  useEffect(() => {
    const send = (): void => void walk.send();
    send();
    window.addEventListener("online", send);
    document.addEventListener("visibilitychange", send);
    return () => {
      window.removeEventListener("online", send);
      document.removeEventListener("visibilitychange", send);
    };
  }, [walk]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try that failed begins another wait
  useEffect(() => {
    if (seconds === null) return;
    const timer = setTimeout(() => void walk.send(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [walk, sending]);
};

/** A walk: one card at a time, what was not sent, and how far it is. */
export const WalkView = ({ walk, offline }: { walk: Walk; offline: string | null }) => {
  const shown = useSyncExternalStore(walk.subscribe, walk.read);
  const { state } = shown;
  const { done, total } = progressOf(state);
  const vehicle = presentVehicle(state);
  useSending(walk);
  useEffect(() => {
    const at = vehicle === null ? -1 : state.kept.vehicles.indexOf(vehicle);
    if (at >= 0) void keepPhotos(state.kept.vehicles.slice(at)).catch(() => {});
  }, [vehicle, state.kept.vehicles]);
  const place = vehicle === null ? total : done + 1;
  return (
    <WalkFrame
      {...(!state.kept.isOwn && { home: `/portal/dealers/${state.kept.dealerId}?tab=today` })}
      subtitle={[state.kept.dealerName, total > 0 && `${place} of ${total}`].filter(Boolean).join(" · ")}
    >
      <progress className="walk-progress" aria-label="Cards done" value={done} max={Math.max(1, total)} />
      {/* Also the next card: the focus stays on the button. */}
      <p role="status" className="walk-status" data-fault={shown.fault !== null || undefined}>
        {sendingInWords(shown)}
        {shown.sending.is === "signed-out" && waitingActions(state).length > 0 && (
          <a className="walk-link" href={`/portal/to-walk/${state.kept.dealerId}`}>
            Sign in
          </a>
        )}
      </p>
      <RefusedActions walk={walk} state={state} />
      {vehicle === null ? (
        <div className="walk-end">
          <h2>{total === 0 ? "Nothing is on the lot" : `All ${total} are done`}</h2>
        </div>
      ) : (
        <WalkCard walk={walk} state={state} vehicle={vehicle} isReading={shown.reading.includes(vehicle.id)} />
      )}
      <div className="walk-foot">
        <Button variant="subtle" onClick={() => void walk.undo()} disabled={state.kept.steps.length === 0}>
          Undo
        </Button>
        {offline !== null && <p className="walk-note">{offline}</p>}
      </div>
    </WalkFrame>
  );
};
