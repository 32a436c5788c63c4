const LAST_NUMBER = 10_000

/**
 * Generates up to 9,999 alternatives to a taken name: `a(1).txt`, `a(2).txt`, … A number at the end of the name is
 * replaced.
 */
export function* numberedNames(name: string, { isFolder }: { isFolder: boolean }): Generator<string> {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const stem = dot > 0 ? name.slice(0, dot) : name
  const extension = dot > 0 ? name.slice(dot) : ''
  const bare = stem.replace(/\(\d+\)$/, '')
  for (let number = 1; number < LAST_NUMBER; number += 1) yield `${bare}(${number})${extension}`
}
