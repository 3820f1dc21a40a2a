/** Gives a table (CSV) to the browser to keep as a file. */
export const downloadCsv = (parts: readonly (string | Blob)[], name: string): void => {
  // Without the mark at the beginning, spreadsheets take the letters for those of another encoding.
  const url = URL.createObjectURL(new Blob(["\ufeff", ...parts]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
