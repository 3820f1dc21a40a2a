import { Button } from "@mantine/core";
import type { Walk } from "./walk.ts";
import type { WalkState } from "./walk-state.ts";
import { actionInWords } from "./walk-words.ts";

/** What the service did not take, each with the reason and what can be done. */
export const RefusedActions = ({ walk, state }: { walk: Walk; state: WalkState }) => {
  const refused = state.actions.filter((action) => action.refused !== null);
  if (refused.length === 0) return null;
  return (
    <ul className="walk-refused">
      {refused.map((action) => (
        <li key={action.key}>
          <article aria-label={`Not sent: ${action.name}`}>
            <h2>
              Not sent: {action.name}, {actionInWords(action, state.kept.currency)}
            </h2>
            <p>{action.refused}</p>
            <div className="walk-refused-buttons">
              <Button size="sm" variant="default" onClick={() => void walk.forget(action.key)}>
                {action.kind === "price" ? "Look at its card again" : "Leave it"}
              </Button>
              <Button size="sm" variant="default" onClick={() => void walk.again(action.key)}>
                Send again
              </Button>
              <Button size="sm" variant="subtle" component="a" href={`/portal/vehicles/${action.vehicleId}`}>
                Open the vehicle
              </Button>
            </div>
          </article>
        </li>
      ))}
    </ul>
  );
};
