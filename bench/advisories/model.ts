/** A place of the source that a mutant changes. */
export interface Edit {
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** A small change of the source that brings a mistake into it. */
export type Mutant = readonly Edit[]

/** A published mistake, and the test that shows that this product does not make it. */
export interface Row {
  readonly product?: string
  readonly published?: readonly { readonly id: string; readonly url: string }[]
  readonly mistake: string
  /** Its title as it stands in the source, `${}` and `%s` included. */
  readonly test: { readonly file: string; readonly title: string }
  /** What the test notices. */
  readonly mutant: Mutant
}

export interface Table {
  /** What stands before the table. */
  readonly heading: string
  readonly rows: readonly Row[]
}

/** What a row is told by. */
export const nameOf = ({ product, published = [], mistake }: Row): string =>
  product === undefined ? mistake : `${product} ${published.map(({ id }) => id).join(', ')}`

/** The names of tests that a title in the source may become. */
export function namesOfTitle(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  return new RegExp(`${escaped.replaceAll(/\\\$\\\{.+?\\\}|%[sdij]/g, '.+')}$`)
}

const occurrencesOf = (text: string, part: string): number => text.split(part).length - 1

/** @throws {Error} unless what is to be changed stands there once */
export function mutate(text: string, { file, find, replace }: Edit): string {
  const count = occurrencesOf(text, find)
  if (count !== 1 || find === replace)
    throw new Error(
      `${file} holds ${JSON.stringify(find)} ${count} times; it must be there once, and change.`,
    )
  return text.replace(find, () => replace)
}
