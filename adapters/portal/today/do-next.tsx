import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Todo } from "../../../core/today/do-next.ts";
import { SetForAll, type SettableProblem } from "../feed-problems/set-for-all.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { isSettable } from "../vehicles/settable-fields.ts";
import { todoWords } from "./today-words.ts";

/** The field that most vehicles of a feed lack, if it can be set for all of them; or else `null`. */
const emptyField = ({ id, reason }: Todo): SettableProblem | null =>
  id !== null && reason?.rule === "required_empty" && reason.field !== null && isSettable(reason.field)
    ? { feedId: id, rule: reason.rule, field: reason.field }
    : null;

const TodoItem = ({ todo }: { todo: Todo }) => {
  const { price } = useAmountFormats();
  const mayChange = useMay()("vehicles:write");
  const [isSet, setIsSet] = useState(false);
  const { sentence, detail, action, to } = todoWords(todo, price);
  const problem = mayChange ? emptyField(todo) : null;
  return (
    <li className="todo">
      <div>
        {sentence}
        <span className="second-line">
          {isSet ? "Set. The channel counts again when it fetches the feed." : detail}
        </span>
      </div>
      {problem !== null && !isSet ? (
        <SetForAll {...{ problem, sentence }} onSet={() => setIsSet(true)} />
      ) : (
        <Button component={Link} href={to} variant="default" size="compact-sm" aria-label={`${action}: ${sentence}`}>
          {action}
        </Button>
      )}
    </li>
  );
};

/** What to do next: a sentence each, with the button that does it or leads to where it is done. */
export const DoNext = ({ todos }: { todos: readonly Todo[] }) => (
  <Section title="Do next">
    {todos.length === 0 ? (
      <Text size="sm">Nothing is left to do: files, feeds, sales and keys are as they should be.</Text>
    ) : (
      <ul className="todos">
        {todos.map((todo) => (
          <TodoItem key={`${todo.kind} ${todo.id}`} todo={todo} />
        ))}
      </ul>
    )}
  </Section>
);
