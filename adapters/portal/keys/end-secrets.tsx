import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CheckboxField } from "../forms/fields.tsx";
import { Notice } from "../shell/notice.tsx";

interface EndSecretsProps {
  /** The field's path in what is sent. */
  readonly path: "rotate" | "rotate_keys";
  /** How many secrets there are; `null` where that is not known. */
  readonly count: number | null;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  /** Who gains what if they stay. */
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

/** Proposes to end secrets with a change by which those who know them would reach more than they were given. */
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

/** What is reached: what is bound to a dealer sees that one's data, a super-admin everybody's. */
interface Authority {
  readonly isSuperAdmin: boolean;
  readonly dealerId: number | null;
}

/** Whose data is reached, in words; `null` where no dealer says it. */
export const dataInWords = ({ isSuperAdmin, dealerId }: Authority, dealer: string): string | null => {
  if (isSuperAdmin) return "the data of all dealers";
  return dealerId === null ? null : `the data of ${dealer}`;
};
