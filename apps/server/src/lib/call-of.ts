const isCheckout = import.meta.filename.endsWith('.ts')

/**
 * Returns the text with which a user calls a command: with npm in a checkout, otherwise with the command of the
 * package.
 */
export function callOf(command: string, args = ''): string {
  const words = isCheckout ? ['npm run', command, args && `-- ${args}`] : ['dropleaf', command, args]
  return words.filter((word) => word !== '').join(' ')
}
