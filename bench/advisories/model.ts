/** A replacement that a mutant makes in one file. */
export interface Edit {
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** A small change to the sources that introduces a fault. */
export type Mutant = readonly Edit[]

/** A published vulnerability or a common mistake, and the test that shows that this product does not have it. */
export interface Row {
  readonly product?: string
  readonly published?: readonly { readonly id: string; readonly url: string }[]
  readonly mistake: string
  /** Title as written in the source, including `${}` and `%s`. */
  readonly test: { readonly file: string; readonly title: string }
  /** The change that must make the test fail. */
  readonly mutant: Mutant
}

export interface Table {
  readonly heading: string
  readonly rows: readonly Row[]
}

/** Display name of a row. */
export const nameOf = ({ product, published = [], mistake }: Row): string =>
  product === undefined ? mistake : `${product} ${published.map(({ id }) => id).join(', ')}`

/** Returns a pattern that matches the test names that a title in the source can produce. */
export function namesOfTitle(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  return new RegExp(`${escaped.replaceAll(/\\\$\\\{.+?\\\}|%[sdij]/g, '.+')}$`)
}

const occurrencesOf = (text: string, part: string): number => text.split(part).length - 1

/** @throws {Error} unless `find` occurs exactly once and differs from `replace` */
export function mutate(text: string, { file, find, replace }: Edit): string {
  const count = occurrencesOf(text, find)
  if (count !== 1 || find === replace)
    throw new Error(
      `${file} holds ${JSON.stringify(find)} ${count} times; it must be there once, and change.`,
    )
  return text.replace(find, () => replace)
}
