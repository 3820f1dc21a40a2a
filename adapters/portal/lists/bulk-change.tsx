import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { Dialog, FormDialog } from "../forms/dialog.tsx";
import { StateBadge, type StateColor } from "../shell/state-badge.tsx";
import type { Asked } from "./bulk.tsx";

/** A row's name, and what is said of it. */
interface Line {
  readonly key: string | number;
  readonly name: string;
  readonly said: ReactNode;
}

const Lines = ({ label, lines }: { label: string; lines: readonly Line[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
  <ul className="bulk-lines" aria-label={label} tabIndex={0}>
    {lines.map(({ key, name, said }) => (
      <li key={key}>
        <strong>{name}</strong> <span>{said}</span>
      </li>
    ))}
  </ul>
);

type Fate = "done" | "undone" | "refused";
/** What became of a row, with words about it where the state says too little. */
export interface Result {
  readonly fate: Fate;
  readonly said: ReactNode;
}
export type Results<Row> = ReadonlyMap<Row, Result>;

const FATES: Readonly<Record<Fate, readonly [word: string, color: StateColor]>> = {
  done: ["done", "green"],
  undone: ["undone", "grey"],
  refused: ["not done", "amber"],
};

/** What becomes of a row that is sent, and of one that is refused. */
interface Attempt {
  readonly fate: Fate;
  readonly refused: (sentence: string) => Result;
}
const CHANGE: Attempt = { fate: "done", refused: (said) => ({ fate: "refused", said }) };
const UNDO: Attempt = { fate: "undone", refused: (sentence) => ({ fate: "done", said: `Not undone: ${sentence}` }) };

/** After these, every further request would be refused, too. */
const ENDS_ALL = new Set(["reauthentication_required", "signed_out"]);

interface BulkChangeProps<Row> extends Asked<Row> {
  /** The question, as "Deactivate 3 users?"; `rows` are those that change. */
  readonly title: (count: number) => string;
  /** The button that does it, as "Deactivate". */
  readonly confirm: string;
  /** What has happened, as "3 users deactivated"; the name of the dialog with the results. */
  readonly outcome: (count: number) => string;
  readonly danger?: boolean;
  readonly keyOf: (row: Row) => string | number;
  readonly nameOf: (row: Row) => string;
  /** Why a row stays as it is, as "This is you"; nothing is sent for it. */
  readonly exempt?: (row: Row) => string | false;
  /** What changes for a row, beside its name, as "2 keys". */
  readonly about?: (row: Row) => ReactNode;
  /** True when closing the question would lose what was chosen in it. */
  readonly isChanged?: boolean;
  /** Throws an ApiError, with details for the fields, if they are not filled as they must be. */
  readonly check?: () => void;
  /** Changes one row, and says what became of it, as "2 keys revoked". Refusals are said in the server's words. */
  readonly change?: (row: Row) => Promise<ReactNode>;
  /** Changes all of them with one request, and says what became of each; in place of `change`. */
  readonly changeAll?: (rows: readonly Row[]) => Promise<Results<Row>>;
  /** Undoes the change of one row, which is as it was read before, and says so; without it nothing can be undone. */
  readonly undo?: (row: Row) => Promise<ReactNode>;
  /** How many rows are sent at once; one unless given. */
  readonly atOnce?: number;
  /** The word on the button that closes the results, where they are shown once: no other way leads out. */
  readonly shownOnce?: string;
  /** What the change means for all of them, and fields. */
  readonly children?: ReactNode;
}

/**
 * Changes the ticked rows of a list: one question that says what will change and for which rows it cannot, then a result
 * for each row, with *Undo* where that is possible and *Try again* for rows that were refused. Requests are sent one
 * after another, unless one changes all. Give it as `dialog` of a `BulkAction`, with the `Asked` that it gets.
 */
export const BulkChange = <Row,>({ rows: ticked, onClose, onDone, ...props }: BulkChangeProps<Row>) => {
  const { keyOf, nameOf, exempt, about, change, changeAll, check, undo, atOnce = 1 } = props;
  // As they are when it is asked: what is undone leads back there.
  const [rows] = useState(ticked);
  const [results, setResults] = useState<Results<Row>>(new Map());
  const [isOver, setIsOver] = useState(false);
  const whyNot = (row: Row): string | false => exempt?.(row) ?? false;
  const changing = rows.filter((row) => whyNot(row) === false);
  const tell = (row: Row, result: Result): void => setResults((before) => new Map(before).set(row, result));
  /** Sends so many rows at once, those before others; a refusal of one stops no other. */
  const each = async (all: readonly Row[], act: (row: Row) => Promise<ReactNode>, attempt: Attempt): Promise<void> => {
    for (let begun = 0; begun < all.length; begun += atOnce) {
      const some = all.slice(begun, begun + atOnce);
      const outcomes = await Promise.allSettled(some.map(act));
      for (const [place, row] of some.entries()) {
        const outcome = outcomes[place];
        if (outcome?.status === "fulfilled") tell(row, { fate: attempt.fate, said: outcome.value });
        if (outcome?.status !== "rejected") continue;
        const error: unknown = outcome.reason;
        if (!(error instanceof ApiError)) throw error;
        const endsAll = ENDS_ALL.has(error.code);
        if (endsAll && begun + place === 0) throw error;
        for (const one of endsAll ? all.slice(begun + place) : [row]) tell(one, attempt.refused(error.sentence));
        if (endsAll) return;
      }
    }
  };
  const changeThese = async (all: readonly Row[]): Promise<void> => {
    if (change !== undefined) await each(all, change, CHANGE);
    if (changeAll === undefined) return;
    const found = await changeAll(all);
    setResults((before) => new Map([...before, ...found]));
  };
  const line = (row: Row, said: ReactNode): Line => ({ key: keyOf(row), name: nameOf(row), said });
  const submit = async (): Promise<void> => {
    check?.();
    await changeThese(changing);
    setIsOver(true);
  };
  if (isOver)
    return (
      <Outcome
        {...props}
        results={results}
        line={line}
        again={changeThese}
        {...(undo !== undefined && { takeBack: (done: readonly Row[]) => each(done, undo, UNDO) })}
        onDone={onDone}
      />
    );
  return (
    <FormDialog
      title={props.title(changing.length)}
      submit={props.confirm}
      danger={props.danger ?? false}
      disabled={changing.length === 0}
      isChanged={props.isChanged ?? false}
      onSubmit={submit}
      onClose={onClose}
    >
      {props.children}
      <Lines
        label="Selected"
        lines={rows.map((row) => {
          const reason = whyNot(row);
          return line(row, reason === false ? about?.(row) : `Stays as it is: ${reason}`);
        })}
      />
      <VisuallyHidden role="status">{results.size > 0 && `${results.size} of ${changing.length} done`}</VisuallyHidden>
    </FormDialog>
  );
};

interface OutcomeProps<Row> extends Pick<BulkChangeProps<Row>, "outcome" | "shownOnce" | "onDone"> {
  readonly results: Results<Row>;
  readonly line: (row: Row, said: ReactNode) => Line;
  readonly again: (rows: readonly Row[]) => Promise<void>;
  readonly takeBack?: (rows: readonly Row[]) => Promise<void>;
}

const Outcome = <Row,>({ results, line, again, takeBack, outcome, shownOnce, onDone }: OutcomeProps<Row>) => {
  const rowsOf = (fate: Fate): Row[] => [...results].filter(([, result]) => result.fate === fate).map(([row]) => row);
  const [done, undone, refused] = [rowsOf("done"), rowsOf("undone"), rowsOf("refused")];
  const acting = useMutation({ mutationFn: (act: () => Promise<void>) => act() });
  const said = undone.length > 0 && done.length === 0 ? `${undone.length} undone` : outcome(done.length);
  const text = refused.length > 0 ? `${said}, ${refused.length} not` : said;
  return (
    <Dialog title={text} onClose={onDone} dismissible={shownOnce === undefined}>
      <VisuallyHidden role="status">{text}</VisuallyHidden>
      <Lines
        label="Results"
        lines={[...results].map(([row, result]) => {
          const [word, color] = FATES[result.fate];
          return line(
            row,
            <>
              {result.said} <StateBadge color={color}>{word}</StateBadge>
            </>,
          );
        })}
      />
      {acting.isError && (
        <Text size="sm" role="alert">
          {acting.error.message}
        </Text>
      )}
      <Group gap="xs" className="form-actions">
        <Button onClick={onDone} data-autofocus>
          {shownOnce ?? "Done"}
        </Button>
        {takeBack !== undefined && done.length > 0 && (
          <Button variant="default" loading={acting.isPending} onClick={() => acting.mutate(() => takeBack(done))}>
            Undo
          </Button>
        )}
        {refused.length > 0 && (
          <Button variant="default" loading={acting.isPending} onClick={() => acting.mutate(() => again(refused))}>
            Try again
          </Button>
        )}
      </Group>
    </Dialog>
  );
};
