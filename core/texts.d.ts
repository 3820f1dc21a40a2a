/** Texts that are embedded into the compiled program. An import of one is the text itself. */
declare module "*.txt" {
  const text: string;
  export default text;
}
