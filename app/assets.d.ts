/** Files that are embedded into the compiled binary; the import is their path. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

/** Text that is embedded into the compiled binary; the import is the text itself. */
declare module "*.txt" {
  const text: string;
  export default text;
}

/** A script of the reference page, as text. */
declare module "*/page/start.js" {
  const text: string;
  export default text;
}

/** Styles of the reference page, as text. */
declare module "*/page/reference.css" {
  const text: string;
  export default text;
}
