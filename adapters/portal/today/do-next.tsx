import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Todo } from "../../../core/today/do-next.ts";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { isSettable, type SettableField } from "../vehicles/settable-fields.ts";
import { SetForAll } from "./set-for-all.tsx";
import { todoWords } from "./today-words.ts";

/** The field that most vehicles of a feed lack, if it can be set for all of them; or else `null`. */
const emptyField = ({ reason }: Todo): SettableField | null =>
  reason?.rule === "required_empty" && reason.field !== null && isSettable(reason.field) ? reason.field : null;

const TodoItem = ({ dealerId, todo }: { dealerId: number; todo: Todo }) => {
  const { price } = useAmountFormats();
  const mayChange = useMay()("vehicles:write");
  const [isSet, setIsSet] = useState(false);
  const { sentence, detail, action, to } = todoWords(todo, price);
  const field = mayChange ? emptyField(todo) : null;
  return (
    <li className="todo">
      <div>
        {sentence}
        <span className="second-line">
          {isSet ? "Set. The channel counts again when it fetches the feed." : detail}
        </span>
      </div>
      {field !== null && !isSet ? (
        <SetForAll {...{ dealerId, todo, field, sentence }} onSet={() => setIsSet(true)} />
      ) : (
        <Button component={Link} href={to} variant="default" size="compact-sm" aria-label={`${action}: ${sentence}`}>
          {action}
        </Button>
      )}
    </li>
  );
};

/** What to do next: a sentence each, with the button that does it or leads to where it is done. */
export const DoNext = ({ dealerId, todos }: { dealerId: number; todos: readonly Todo[] }) => (
  <Section title="Do next">
    {todos.length === 0 ? (
      <Text size="sm">Nothing is left to do: files, feeds, sales and keys are as they should be.</Text>
    ) : (
      <ul className="todos">
        {todos.map((todo) => (
          <TodoItem key={`${todo.kind} ${todo.id}`} dealerId={dealerId} todo={todo} />
        ))}
      </ul>
    )}
  </Section>
);
