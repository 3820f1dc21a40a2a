/** The URL from which the page loads a font file. */
declare module "*.woff2" {
  const address: string;
  export default address;
}
