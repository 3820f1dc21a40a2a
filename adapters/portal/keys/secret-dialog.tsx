import type { KeyWithSecret } from "../api/responses.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { firstRequest } from "./first-request.ts";
import { ShowOnceDialog } from "./show-once-dialog.tsx";

/** Shows a secret once; the user must confirm that it is copied. */
export const SecretDialog = ({ keyWithSecret, onClose }: { keyWithSecret: KeyWithSecret; onClose: () => void }) => (
  <ShowOnceDialog
    title={`The secret of ${keyWithSecret.name}`}
    notice="The key is shown this once. The service keeps no copy and cannot show it again."
    confirmLabel="I have copied the key"
    onClose={onClose}
  >
    <CopyText label="API key" text={keyWithSecret.api_key} />
    <CopyText label="First request" text={firstRequest(keyWithSecret, window.location.origin)} />
  </ShowOnceDialog>
);
