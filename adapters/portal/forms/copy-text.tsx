import { Button, Group, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useRef, useState } from "react";

interface CopyTextProps {
  /** Names the text, also for screen readers. */
  readonly label: string;
  readonly text: string;
  readonly onCopied?: () => void;
}

/** Text with a button that selects and copies it. */
export const CopyText = ({ label, text, onCopied }: CopyTextProps) => {
  const shown = useRef<HTMLPreElement>(null);
  const [state, setState] = useState<"" | "Copied" | "Select the text and copy it yourself">("");

  const copy = async (): Promise<void> => {
    if (shown.current !== null) window.getSelection()?.selectAllChildren(shown.current);
    try {
      // Browsers offer no clipboard to pages over plain http from another machine.
      await navigator.clipboard.writeText(text);
      setState("Copied");
      onCopied?.();
    } catch {
      setState("Select the text and copy it yourself");
    }
  };

  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap="xs">
          <Text size="sm" role="status">
            {state}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={copy}
            leftSection={state === "Copied" ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            aria-label={`Copy: ${label}`}
          >
            Copy
          </Button>
        </Group>
      </Group>
      <pre ref={shown} className="copy-text">
        {text}
      </pre>
    </div>
  );
};
