/** Most UTF-16 units of a name that are compared; an entry of an index must stay below 2,700 bytes on PostgreSQL. */
const FOLDED_MAX_UNITS = 500
const SORTED_MAX_UNITS = 300

/** Names of these letters alone are in compatibility form already: most are. */
// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const PLAIN = /^[\u0000-\u007f]*$/

/** A name or a query as the search compares it: compatibility forms and case do not matter. */
export const foldName = (name: string): string =>
  PLAIN.test(name)
    ? name.toLowerCase().slice(0, FOLDED_MAX_UNITS)
    : name.normalize('NFKC').toLowerCase().slice(0, FOLDED_MAX_UNITS).toWellFormed()

/** Separates the natural form of a name from the name; before everything that a name can hold. */
const TIE = '\u0001'
const LENGTH_CODE_BASE = 0x2f
const LONGEST_NUMBER = 40

/** Digits in front of a number, so that longer numbers come later: `img2` before `img10`. */
function naturalForm(name: string): string {
  return foldName(name).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return String.fromCharCode(LENGTH_CODE_BASE + Math.min(number.length, LONGEST_NUMBER)) + number
  })
}

/**
 * What names of one folder sort by, compared as UTF-8 bytes (`compareKeys`): case-blind, numbers by value, and the name
 * itself between those that are alike otherwise. No two names share one.
 */
export function sortKeyOf(name: string): string {
  const form = naturalForm(name)
  const natural = form.length <= SORTED_MAX_UNITS ? form : form.slice(0, SORTED_MAX_UNITS).toWellFormed()
  return natural === name ? natural : natural + TIE + name
}

/** Every text of two and of three UTF-16 units in a folded name, once. */
export function gramsOf(folded: string): string[] {
  const grams = new Set<string>()
  for (let start = 0; start + 1 < folded.length; start += 1) {
    grams.add(folded.slice(start, start + 2))
    if (start + 2 < folded.length) grams.add(folded.slice(start, start + 3))
  }
  return [...grams]
}

/** The longest texts that the index knows, which together hold a folded query of two units or more. */
export function queryGramsOf(folded: string): string[] {
  return folded.length === 2 ? [folded] : gramsOf(folded).filter((gram) => gram.length === 3)
}

/** The folder that a key lies in: empty, or with a slash at its end. For a folder's key the one around it. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
}

/** The last segment of a key, without a slash. */
export function nameOf(key: string): string {
  const name = key.slice(folderOf(key).length)
  return name.endsWith('/') ? name.slice(0, -1) : name
}

/** The folders that a key lies in, outermost first, the root among them; a folder itself is not. */
export function foldersAround(key: string): string[] {
  const folders = ['']
  for (let cut = key.indexOf('/') + 1; cut > 0 && cut < key.length; cut = key.indexOf('/', cut) + 1)
    folders.push(key.slice(0, cut))
  return folders
}

/** The first text that sorts after everything below a folder, or `null` for the root. A `0` follows the slash. */
export const endOfFolder = (folder: string): string | null =>
  folder === '' ? null : `${folder.slice(0, -1)}0`
