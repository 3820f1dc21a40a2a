import { holds, RESOURCES, setOfPairs } from "../../../core/access/permissions.ts";
import type { ShownKey } from "../api/answers.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** A path of the API that the key is allowed to read. */
const readableBy = ({ permissions }: ShownKey): string => {
  const held = setOfPairs(permissions);
  const resource = RESOURCES.find((one) => holds(held, `${one}:read`));
  return resource === undefined ? "/api/settings" : `/api/${resource}?limit=1`;
};

/** A first request with this key, ready for a shell. */
const curlOf = (shown: ShownKey): string => {
  const type = shown.app_type === "desktop" ? ` -H "X-App-Type: desktop"` : "";
  return `curl "${window.location.origin}${readableBy(shown)}" -H "X-API-Key: ${shown.api_key}"${type}`;
};

/** Shows a secret, this once; it is left only by saying that it was copied. */
export const SecretDialog = ({ shown, onClose }: { shown: ShownKey; onClose: () => void }) => (
  <ShownOnce
    title={`The secret of ${shown.name}`}
    notice="The key is shown this once. The service keeps no copy and cannot show it again."
    taken="I have copied the key"
    onClose={onClose}
  >
    <CopyText label="API key" text={shown.api_key} />
    <CopyText label="First request" text={curlOf(shown)} />
  </ShownOnce>
);
