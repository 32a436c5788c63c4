/** Base64url of 16 bytes. */
const SALT_LENGTH = 22
/** Maximum number of attempts to send a part that a manifest can list. */
export const PART_ATTEMPTS_MAX = 256

const PART = new RegExp(`^(?:[A-Za-z0-9_-]{${SALT_LENGTH - 1}}[AQgw]){1,${PART_ATTEMPTS_MAX}}$`)

/** Formats the salts of all attempts. The salts of one part have no separator; parts are separated by commas. */
export const formatSalts = (parts: readonly (readonly string[])[]): string =>
  parts.map((salts) => salts.join('')).join(',')

/** Parses the result of {@link formatSalts}. Returns `null` for any other text. */
export function parseSalts(text: string): readonly ReadonlySet<string>[] | null {
  const parts = text.split(',')
  if (!parts.every((part) => PART.test(part))) return null
  return parts.map(
    (part) =>
      new Set(
        Array.from({ length: part.length / SALT_LENGTH }, (_, at) =>
          part.slice(at * SALT_LENGTH, (at + 1) * SALT_LENGTH),
        ),
      ),
  )
}
