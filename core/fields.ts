type Kinds = Readonly<Record<string, { readonly kind: string }>>;

/** The names of the fields that have one of these kinds. */
export type NamesOf<List extends Kinds, Kind> = {
  [Name in keyof List & string]: List[Name]["kind"] extends Kind ? Name : never;
}[keyof List & string];

/** The names of the fields that have one of these kinds, in the order of the list. */
export const namesOf = <List extends Kinds, const Kind extends string>(list: List, ...kinds: readonly Kind[]) =>
  Object.keys(list).filter((name) => kinds.some((wanted) => wanted === list[name]?.kind)) as NamesOf<List, Kind>[];
