import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CheckboxField } from "../forms/fields.tsx";
import { Notice } from "../page/notice.tsx";

interface EndSecretsProps {
  /** The field's path in the request. */
  readonly path: "rotate" | "rotate_keys";
  /** The number of secrets; `null` if it is unknown. */
  readonly count: number | null;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  /** Who gains access if the secrets stay. */
  readonly children: ReactNode;
}

const wordsFor = (count: number | null) =>
  count === 1
    ? {
        title: "The present secret would go on working",
        label: "End the present secret and make a new one",
        description: "Whatever uses the present secret is refused with status 401 until it has the new one.",
      }
    : {
        title: "The present secrets would go on working",
        label: `End the ${count === null ? "" : `${count} `}present secrets and make new ones`,
        description: "Whatever uses the present secrets is refused with status 401 until it has the new ones.",
      };

/** Proposes to end secrets when a change would give everybody who knows them more access than before. */
export const EndSecrets = ({ count, children, ...field }: EndSecretsProps) => {
  const { title, ...words } = wordsFor(count);
  return (
    <Notice title={title}>
      <Text size="sm" mb="sm">
        {children}
      </Text>
      <CheckboxField {...field} {...words} />
    </Notice>
  );
};

/** The data in reach: one dealer's, or everybody's for a super-admin. */
interface Authority {
  readonly isSuperAdmin: boolean;
  readonly dealerId: number | null;
}

/** The data in reach, in words; `null` if it is not tied to a dealer. */
export const dataInWords = ({ isSuperAdmin, dealerId }: Authority, dealer: string): string | null => {
  if (isSuperAdmin) return "the data of all dealers";
  return dealerId === null ? null : `the data of ${dealer}`;
};
