import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { useList } from "../api/queries.ts";
import { useDealerName } from "../choices/dealer-choice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { dataInWords, EndSecrets } from "./end-secrets.tsx";
import type { KeyEffect } from "./key-effect.ts";

/** Who created a key, from the audit log; `null` without the permission to read it. */
const useKeyCreator = (keyId: number): AuditEntry["actor"] | null => {
  const query = { resource: "keys", id: keyId, action: "key.created", limit: 1 };
  const { data } = useList<AuditEntry>("/audit", query, { enabled: useMay()("audit:read") });
  return data?.items[0]?.actor ?? null;
};

const CREATED_BY: Readonly<Record<AuditEntry["actor"]["type"], (name: string) => string>> = {
  user: (name) => `${name} made the key.`,
  key: (name) => `The key was made with the key ${name}.`,
  command: () => "The key was made on the command line.",
  service: () => "The service made the key when it was first started.",
  operator: () => "An operator made the key.",
};

interface EndKeySecretProps {
  readonly record: PresentedKey;
  /** What the key will be able to do. */
  readonly effect: KeyEffect;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Proposes to rotate a key that gets a new owner. */
export const EndKeySecret = ({ record, effect, ...field }: EndKeySecretProps) => {
  const dealer = useDealerName(effect.dealerId);
  const { user } = useSession();
  const creator = useKeyCreator(record.id);
  const isOwn = creator?.type === "user" && creator.id === user.id;
  const reached =
    dataInWords(effect, dealer) ??
    (effect.user === null ? "all that the key reaches then" : `what ${effect.user.name} may see`);
  return (
    <EndSecrets path="rotate" count={1} {...field}>
      Whoever knows the present secret would have access to {reached}.
      {creator !== null && ` ${isOwn ? "You made the key." : CREATED_BY[creator.type](creator.name)}`}
    </EndSecrets>
  );
};
