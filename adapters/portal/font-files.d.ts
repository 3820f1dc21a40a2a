/** A font file: its address, from which the page loads it. */
declare module "*.woff2" {
  const address: string;
  export default address;
}
