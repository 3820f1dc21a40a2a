/** The path of an absolute address, without its query. Takes any host, which a client may have made up. */
export const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
};
