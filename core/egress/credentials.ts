/** How a service tells another one who it is. */
export type Credentials =
  | { readonly type: "basic"; readonly user: string; readonly password: string }
  | { readonly type: "header"; readonly name: string; readonly value: string };
