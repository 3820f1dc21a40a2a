import { Button, Text } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useList } from "../api/queries.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";

/** The storage key that remembers that a user hid the steps. */
const hiddenFor = (userId: number): string => `portal-first-steps-hidden-${userId}`;

/** How often the page checks whether the first request, which comes from a shell, has arrived. */
const REFETCH_MS = 5_000;

const FIRST = { limit: 1 } as const;
/** Finds the dealer's key that was used last. */
const LAST_USED = { association: "dealer", sort: "last_used", order: "desc", limit: 1 } as const;

interface Step {
  readonly name: string;
  readonly isDone: boolean;
  /** How to take the step; shown for the next step only. */
  readonly how: ReactNode;
}

const StepItem = ({ step: { name, isDone, how }, isNext }: { step: Step; isNext: boolean }) => (
  <li className="step" aria-current={isNext ? "step" : undefined} data-done={isDone || undefined}>
    {isDone ? (
      <IconCircleCheckFilled size={20} className="step-mark" aria-label="Done:" />
    ) : (
      <IconCircle size={20} className="step-mark" aria-label="To do:" />
    )}
    <div className="step-text">
      <span className="step-name">{name}</span>
      {isNext && how}
    </div>
  </li>
);

const firstRequest = (): string => `curl "${window.location.origin}/api/vehicles?limit=1" -H "X-API-Key: YOUR_KEY"`;

interface SetupState {
  readonly dealers: number;
  readonly firstDealer: Dealer | undefined;
  readonly vehicles: number;
  readonly keys: readonly PresentedKey[];
}

const stepsOf = ({ dealers, firstDealer, vehicles, keys }: SetupState): Step[] => [
  {
    name: "Add the first dealer",
    isDone: dealers > 0,
    how: <PageLink to="/dealers/new">Add a dealer with name, address and opening hours</PageLink>,
  },
  {
    name: "Add a vehicle",
    isDone: vehicles > 0,
    how: firstDealer !== undefined && (
      <PageLink to={`/dealers/${firstDealer.id}/vehicles/new`}>
        Add a vehicle to the inventory of {firstDealer.name}
      </PageLink>
    ),
  },
  {
    name: "Create an API key for the dealer",
    isDone: keys.length > 0,
    how: <PageLink to="/keys/new">Create a key that sees and changes only this dealer's data</PageLink>,
  },
  {
    name: "Send the first request",
    isDone: keys.some(({ last_used_at }) => last_used_at !== null),
    how: (
      <>
        <Text size="sm">The key's secret was shown when the key was created. This step ticks itself off.</Text>
        <CopyText label="First request" text={firstRequest()} />
      </>
    ),
  },
];

const StepsToDo = ({ vehicles }: { vehicles: number }) => {
  const hidden = hiddenFor(useSession().user.id);
  const [isHidden, setIsHidden] = useState(() => window.localStorage.getItem(hidden) !== null);
  const dealers = useList<Dealer>("/dealers", FIRST, { enabled: !isHidden });
  const keys = useList<PresentedKey>("/keys", LAST_USED, { enabled: !isHidden });
  const steps =
    dealers.data === undefined || keys.data === undefined
      ? []
      : stepsOf({
          dealers: dealers.data.total,
          firstDealer: dealers.data.items[0],
          vehicles,
          keys: keys.data.items,
        });
  const next = steps.find(({ isDone }) => !isDone);
  const isWaiting = !isHidden && next === steps.at(-1) && next !== undefined;
  const refetchKeys = keys.refetch;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(refetchKeys, REFETCH_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refetchKeys]);

  if (isHidden || next === undefined) return null;
  const hide = (): void => {
    window.localStorage.setItem(hidden, "yes");
    setIsHidden(true);
  };
  return (
    <Section
      title="First steps"
      actions={
        <Button size="compact-sm" variant="default" onClick={hide}>
          Hide these steps
        </Button>
      }
    >
      <ol className="steps">
        {steps.map((step) => (
          <StepItem key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
    </Section>
  );
};

/**
 * The first steps of a new installation, until all are done: a dealer, a vehicle, a key and its first request. Only
 * users who may take all of them see them. `vehicles` is `null` for users who may not see vehicles.
 */
export const FirstSteps = ({ vehicles }: { vehicles: number | null }) => {
  const may = useMay();
  const { user } = useSession();
  const mayAll = bindingOf(user) === null && may("dealers:write") && may("vehicles:write") && may("keys:write");
  return mayAll && vehicles !== null && <StepsToDo vehicles={vehicles} />;
};
