import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { sendOnlyFor } from "../api/client.ts";
import { priceFormat } from "../settings/amount-formats.ts";
import { titleWithStockNumber } from "../vehicles/vehicle-words.ts";
import { forgetWalk, saveChange } from "./device.ts";
import { canKeepPages, dropOtherPhotos, keepPage } from "./keep-page.ts";
import { type Opened, openWalk } from "./open-walk.ts";
import { portalService } from "./portal-service.ts";
import { Walk } from "./walk.ts";
import { WalkFrame } from "./walk-frame.tsx";
import type { WalkState } from "./walk-state.ts";
import { WalkView } from "./walk-view.tsx";
import { unsentInWords } from "./walk-words.ts";

let turn: Promise<void> | null = null;

/** Only one window walks: two would send the same. Resolves when this one is the one. */
const alone = (): Promise<void> => {
  turn ??= new Promise((resolve) => {
    // Without https there are no locks; what is sent twice is made once all the same.
    if (!("locks" in navigator)) return resolve();
    void navigator.locks.request("portal-walk", () => {
      resolve();
      // It is kept until the window is closed.
      return new Promise(() => {});
    });
  });
  return turn;
};

const walkOf = (state: WalkState): Walk => {
  const { userId, currency } = state.kept;
  // Another window may sign somebody else in between any two requests.
  sendOnlyFor(userId);
  return new Walk(state, {
    device: { save: saveChange },
    service: portalService(priceFormat(currency)),
    nameOf: titleWithStockNumber,
  });
};

const INSECURE =
  "Reached without https, this page cannot be opened without a network. What you do here is kept all the same.";

/** Keeps the page on the device; says once it is there, or that it cannot be. */
const useKeptPage = ({ kept: { vehicles } }: WalkState, isRead: boolean): string | null => {
  const [words, setWords] = useState<string | null>(canKeepPages() ? null : INSECURE);
  useEffect(() => {
    if (!isRead || !canKeepPages()) return;
    // What is not sent must not be what the browser frees when it needs room.
    void navigator.storage.persist().catch(() => false);
    void dropOtherPhotos(vehicles).catch(() => {});
    void keepPage().then(
      () => setWords("Kept on this device: the walk goes on without a network."),
      () => {},
    );
  }, [isRead, vehicles]);
  return words;
};

const OpenWalk = ({ state, isRead }: { state: WalkState; isRead: boolean }) => {
  const walk = useMemo(() => walkOf(state), [state]);
  return <WalkView walk={walk} offline={useKeptPage(state, isRead)} />;
};

const SignIn = ({ dealerId, children }: { dealerId: number; children: ReactNode }) => (
  <Button size="lg" component="a" href={`/portal/to-walk/${dealerId}`}>
    {children}
  </Button>
);

interface NoticeProps {
  readonly dealerId: number;
  readonly opened: Exclude<Opened, { is: "walk" }>;
  readonly onAgain: () => void;
}

/** Why there is no card, and what can be done. */
const NoWalk = ({ dealerId, opened, onAgain }: NoticeProps) => {
  if (opened.is === "refused") return <p role="alert">{opened.words}</p>;
  const { unsent } = opened;
  const kept =
    unsent === 0 ? "" : ` ${unsentInWords(unsent)} of the walk on this device ${unsent === 1 ? "is" : "are"} not sent.`;
  if (opened.is === "signed-out")
    return (
      <>
        <p role="alert">Nobody is signed in on this device.{kept} Sign in, and the walk goes on.</p>
        <SignIn dealerId={dealerId}>Sign in</SignIn>
      </>
    );
  if (opened.is === "unreachable")
    return (
      <>
        <p role="alert">The service does not answer, and no walk of today is on this device.{kept}</p>
        <Button size="lg" onClick={onAgain}>
          Try again
        </Button>
      </>
    );
  return (
    <>
      <p role="alert">
        Somebody else walked with this device.{kept} Only they can send them: let them sign in, or delete what they did.
      </p>
      <Button size="lg" color="red" onClick={() => void forgetWalk().then(onAgain)}>
        Delete {unsentInWords(unsent)}
      </Button>
    </>
  );
};

/** The page of a walk through the lot of a dealer. It opens without a network once it was opened with one. */
export const WalkPage = ({ dealerId }: { dealerId: number }) => {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round opens it again
  useEffect(() => {
    void alone()
      .then(() => openWalk(dealerId))
      .then(setOpened, () =>
        setOpened({
          is: "refused",
          words: "This browser keeps nothing on the device, as in a private window. A walk needs that.",
        }),
      );
  }, [dealerId, round]);
  if (opened?.is === "walk") return <OpenWalk state={opened.state} isRead={opened.isRead} />;
  return (
    <WalkFrame>
      {opened === null ? (
        <p role="status">Opening… If it stays so, the walk is open in another window.</p>
      ) : (
        <NoWalk dealerId={dealerId} opened={opened} onAgain={() => setRound(round + 1)} />
      )}
    </WalkFrame>
  );
};
