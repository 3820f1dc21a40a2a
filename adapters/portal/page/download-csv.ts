/** Downloads a file in the browser. */
export const downloadFile = (parts: readonly (string | Blob)[], name: string): void => {
  const url = URL.createObjectURL(new Blob([...parts]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Downloads a CSV file. Without the byte order mark, spreadsheets assume another encoding. */
export const downloadCsv = (parts: readonly (string | Blob)[], name: string): void =>
  downloadFile(["\ufeff", ...parts], name);
