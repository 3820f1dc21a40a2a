/** Files that are embedded into the compiled binary; the import is their path. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}
