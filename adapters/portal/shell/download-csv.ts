/** Downloads a CSV file in the browser. */
export const downloadCsv = (parts: readonly (string | Blob)[], name: string): void => {
  // Without the byte order mark, spreadsheets assume another encoding.
  const url = URL.createObjectURL(new Blob(["\ufeff", ...parts]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
