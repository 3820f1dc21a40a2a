import type { ShownKey } from "../api/answers.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** A first request with this key, ready for a shell. */
const curlOf = ({ api_key, app_type }: ShownKey): string => {
  const type = app_type === "desktop" ? ` -H "X-App-Type: desktop"` : "";
  return `curl "${window.location.origin}/api/vehicles?limit=1" -H "X-API-Key: ${api_key}"${type}`;
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
