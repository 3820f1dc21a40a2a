import { Button, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Todo } from "../../../core/today/do-next.ts";
import { Section } from "../page/section.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { todoWords } from "./today-words.ts";

/** What to do next: a sentence each, with the button that leads to where it is done. */
export const DoNext = ({ todos }: { todos: readonly Todo[] }) => {
  const { price } = useAmountFormats();
  return (
    <Section title="Do next">
      {todos.length === 0 ? (
        <Text size="sm">Nothing is left to do: files, feeds, sales and keys are as they should be.</Text>
      ) : (
        <ul className="todos">
          {todos.map((todo) => {
            const { sentence, detail, action, to } = todoWords(todo, price);
            return (
              <li key={`${todo.kind} ${todo.id}`} className="todo">
                <div>
                  {sentence}
                  <span className="second-line">{detail}</span>
                </div>
                <Button
                  component={Link}
                  href={to}
                  variant="default"
                  size="compact-sm"
                  aria-label={`${action}: ${sentence}`}
                >
                  {action}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
};
