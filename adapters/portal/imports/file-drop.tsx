import { Button, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { useFileDrop } from "../forms/file-drop.ts";
import { useChosenFile } from "./chosen-file.tsx";
import { FILE_NAMES, firstRowsOf } from "./first-rows.ts";

/** Takes a dropped or chosen file, and opens the page that previews it. */
export const FileDrop = () => {
  const input = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  const { setChosen } = useChosenFile();
  const [problem, setProblem] = useState<string | null>(null);

  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setProblem(null);
    const firstRows = await firstRowsOf(file);
    // The user may choose the same file again after correcting it.
    if (input.current !== null) input.current.value = "";
    if (typeof firstRows === "string") {
      setProblem(`${file.name}: ${firstRows}`);
      return;
    }
    setChosen({ file, firstRows, draft: null, ownColumns: null, importId: null });
    go("/imports/new");
  };
  const isOver = useFileDrop(([file]) => void take(file));
  return (
    <div className="file-drop" {...(isOver && { "data-over": true })}>
      <IconFileUpload className="file-drop-mark" size={28} stroke={1.5} aria-hidden />
      <div className="file-drop-words">
        <Text fw={600}>Drop a file of vehicles here</Text>
        <Text size="sm" c="dimmed">
          A workbook (.xlsx), CSV, TSV, JSON, NDJSON or XML, up to 128 MB.
        </Text>
      </div>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        type="file"
        aria-label="File"
        accept={FILE_NAMES}
        hidden
        onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
      />
      {problem !== null && (
        <Text size="sm" c="red" role="alert" className="file-problem">
          {problem}
        </Text>
      )}
    </div>
  );
};
