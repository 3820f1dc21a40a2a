import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { Dialog, FormDialog } from "../forms/dialog.tsx";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";
import type { BulkDialogProps } from "./bulk.tsx";
import { type RowLine, RowLines } from "./row-lines.tsx";

type RowStatus = "done" | "undone" | "refused";
/** The result for a row, with a note where the status alone says too little. */
export interface RowResult {
  readonly status: RowStatus;
  readonly note: ReactNode;
}
export type RowResults<Row> = ReadonlyMap<Row, RowResult>;

const STATUS_BADGES: Readonly<Record<RowStatus, readonly [word: string, color: StateColor]>> = {
  done: ["done", "green"],
  undone: ["undone", "grey"],
  refused: ["not done", "amber"],
};

/** The status of a row after success, and its result after a refusal. */
interface Attempt {
  readonly successStatus: RowStatus;
  readonly failureOf: (sentence: string) => RowResult;
}
const CHANGE: Attempt = { successStatus: "done", failureOf: (note) => ({ status: "refused", note }) };
const UNDO: Attempt = {
  successStatus: "undone",
  failureOf: (sentence) => ({ status: "done", note: `Not undone: ${sentence}` }),
};

/** Error codes after which every further request would be refused as well. */
const STOPPING_CODES = new Set(["reauthentication_required", "signed_out"]);

interface BulkChangeProps<Row> extends BulkDialogProps<Row> {
  /** The title of the question, such as "Deactivate 3 users?"; `count` is the number of rows that will change. */
  readonly title: (count: number) => string;
  /** The label of the button that makes the change, such as "Deactivate". */
  readonly confirm: string;
  /** The title of the results, such as "3 users deactivated". */
  readonly resultTitle: (count: number) => string;
  readonly danger?: boolean;
  readonly keyOf: (row: Row) => string | number;
  readonly nameOf: (row: Row) => string;
  /** Why a row is skipped, such as "This is you"; `false` if it is changed. */
  readonly skipReason?: (row: Row) => string | false;
  /** True for a row whose change somebody should look at before it is made: such rows come first, with a mark. */
  readonly isLargeChange?: (row: Row) => boolean;
  /** What will change for a row, shown after its name, such as "2 keys". */
  readonly detail?: (row: Row) => ReactNode;
  /** True if closing the question would lose input. */
  readonly isChanged?: boolean;
  /** Throws an ApiError with details for the fields if their values are invalid. */
  readonly validate?: () => void;
  /** Changes one row and returns a note, such as "2 keys revoked". A refusal shows the server's message. */
  readonly changeRow?: (row: Row) => Promise<ReactNode>;
  /** Changes all rows with one request and returns a result for each; replaces `changeRow`. */
  readonly changeAll?: (rows: readonly Row[]) => Promise<RowResults<Row>>;
  /** Undoes the changes that `changeAll` made of these rows, and returns a result for each; replaces `undoRow`. */
  readonly undoAll?: (rows: readonly Row[]) => Promise<RowResults<Row>>;
  /** Undoes the change of one row, given as it was before, and returns a note; without it there is no Undo. */
  readonly undoRow?: (row: Row) => Promise<ReactNode>;
  /** How many requests are sent at the same time; one by default. */
  readonly concurrency?: number;
  /** The label of the only button that closes the results, if they are shown once. */
  readonly requiredExitLabel?: string;
  /** An explanation of the change, and fields. */
  readonly children?: ReactNode;
}

/**
 * Changes the selected rows of a list. First it asks, and lists which rows will change and which will not. Then it
 * shows a result for each row, with *Undo* where possible and *Try again* for refused rows. It sends one request for
 * each row, or one for all. Use it as `dialog` of a `BulkAction`, with the `BulkDialogProps` that the dialog gets.
 */
export const BulkChange = <Row,>({ rows: selectedRows, onClose, onDone, ...props }: BulkChangeProps<Row>) => {
  const {
    keyOf,
    nameOf,
    skipReason,
    isLargeChange = () => false,
    detail,
    changeRow,
    changeAll,
    validate,
    undoRow,
    undoAll,
    concurrency = 1,
  } = props;
  // The rows as they were when the dialog opened: Undo restores these values.
  const [rows] = useState(selectedRows);
  const [results, setResults] = useState<RowResults<Row>>(new Map());
  const [isFinished, setIsFinished] = useState(false);
  const skipReasonOf = (row: Row): string | false => skipReason?.(row) ?? false;
  const changingRows = rows.filter((row) => skipReasonOf(row) === false);
  const isLarge = (row: Row): boolean => skipReasonOf(row) === false && isLargeChange(row);
  const setResult = (row: Row, result: RowResult): void => setResults((before) => new Map(before).set(row, result));
  const addResults = (found: RowResults<Row>): void => setResults((before) => new Map([...before, ...found]));
  /** Sends the rows in groups of `concurrency`; a refused row does not stop the others. */
  const sendInGroups = async (
    all: readonly Row[],
    act: (row: Row) => Promise<ReactNode>,
    attempt: Attempt,
  ): Promise<void> => {
    for (let start = 0; start < all.length; start += concurrency) {
      const group = all.slice(start, start + concurrency);
      const outcomes = await Promise.allSettled(group.map(act));
      for (const [index, row] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === "fulfilled") setResult(row, { status: attempt.successStatus, note: outcome.value });
        if (outcome?.status !== "rejected") continue;
        const error: unknown = outcome.reason;
        if (!(error instanceof ApiError)) throw error;
        const stopsAll = STOPPING_CODES.has(error.code);
        if (stopsAll && start + index === 0) throw error;
        for (const one of stopsAll ? all.slice(start + index) : [row])
          setResult(one, attempt.failureOf(error.sentence));
        if (stopsAll) return;
      }
    }
  };
  const changeRows = async (all: readonly Row[]): Promise<void> => {
    if (changeRow !== undefined) await sendInGroups(all, changeRow, CHANGE);
    if (changeAll !== undefined) addResults(await changeAll(all));
  };
  const undoRows = async (done: readonly Row[]): Promise<void> => {
    if (undoAll !== undefined) return addResults(await undoAll(done));
    if (undoRow !== undefined) await sendInGroups(done, undoRow, UNDO);
  };
  const lineOf = (row: Row, note: ReactNode): RowLine => ({ key: keyOf(row), name: nameOf(row), note });
  const submit = async (): Promise<void> => {
    validate?.();
    await changeRows(changingRows);
    setIsFinished(true);
  };
  if (isFinished)
    return (
      <BulkResults
        {...props}
        results={results}
        lineOf={lineOf}
        retry={changeRows}
        {...((undoRow !== undefined || undoAll !== undefined) && { undo: undoRows })}
        onDone={onDone}
      />
    );
  return (
    <FormDialog
      title={props.title(changingRows.length)}
      submit={props.confirm}
      danger={props.danger ?? false}
      disabled={changingRows.length === 0}
      isChanged={props.isChanged ?? false}
      onSubmit={submit}
      onClose={onClose}
    >
      {props.children}
      <RowLines
        label="Selected"
        lines={[...rows.filter(isLarge), ...rows.filter((row) => !isLarge(row))].map((row) => {
          const reason = skipReasonOf(row);
          if (reason !== false) return lineOf(row, `Stays as it is: ${reason}`);
          if (!isLarge(row)) return lineOf(row, detail?.(row));
          return lineOf(
            row,
            <>
              {detail?.(row)} <StateBadge color="amber">large change</StateBadge>
            </>,
          );
        })}
      />
      <VisuallyHidden role="status">
        {results.size > 0 && `${results.size} of ${changingRows.length} done`}
      </VisuallyHidden>
    </FormDialog>
  );
};

interface BulkResultsProps<Row> extends Pick<BulkChangeProps<Row>, "resultTitle" | "requiredExitLabel" | "onDone"> {
  readonly results: RowResults<Row>;
  readonly lineOf: (row: Row, note: ReactNode) => RowLine;
  readonly retry: (rows: readonly Row[]) => Promise<void>;
  readonly undo?: (rows: readonly Row[]) => Promise<void>;
}

const BulkResults = <Row,>({
  results,
  lineOf,
  retry,
  undo,
  resultTitle,
  requiredExitLabel,
  onDone,
}: BulkResultsProps<Row>) => {
  const rowsOf = (status: RowStatus): Row[] =>
    [...results].filter(([, result]) => result.status === status).map(([row]) => row);
  const [done, undone, refused] = [rowsOf("done"), rowsOf("undone"), rowsOf("refused")];
  // The title stays while rows are undone or tried again one by one: it would count backwards.
  const [standing, setStanding] = useState<string | null>(null);
  const action = useMutation({
    mutationFn: (act: () => Promise<void>) => act(),
    onMutate: () => setStanding(title),
    onSettled: () => setStanding(null),
  });
  const changed = undone.length > 0 && done.length === 0 ? `${undone.length} undone` : resultTitle(done.length);
  const title = standing ?? (refused.length > 0 ? `${changed}, ${refused.length} not` : changed);
  return (
    <Dialog title={title} onClose={onDone} dismissible={requiredExitLabel === undefined}>
      <VisuallyHidden role="status">{title}</VisuallyHidden>
      <RowLines
        label="Results"
        lines={[...results].map(([row, result]) => {
          const [word, color] = STATUS_BADGES[result.status];
          return lineOf(
            row,
            <>
              {result.note} <StateBadge color={color}>{word}</StateBadge>
            </>,
          );
        })}
      />
      {action.isError && (
        <Text size="sm" role="alert">
          {action.error.message}
        </Text>
      )}
      <Group gap="xs" className="form-actions">
        <Button onClick={onDone} data-autofocus>
          {requiredExitLabel ?? "Done"}
        </Button>
        {undo !== undefined && done.length > 0 && (
          <Button variant="default" loading={action.isPending} onClick={() => action.mutate(() => undo(done))}>
            Undo
          </Button>
        )}
        {refused.length > 0 && (
          <Button variant="default" loading={action.isPending} onClick={() => action.mutate(() => retry(refused))}>
            Try again
          </Button>
        )}
      </Group>
    </Dialog>
  );
};
