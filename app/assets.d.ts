/** Files that are embedded into the compiled program. An import of one is its path. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
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
