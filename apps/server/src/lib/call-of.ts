const isCheckout = import.meta.filename.endsWith('.ts')

/** The command line of a command: by npm in a checkout, otherwise by the command of the package. */
export function callOf(command: string, args = ''): string {
  const words = isCheckout ? ['npm run', command, args && `-- ${args}`] : ['dropleaf', command, args]
  return words.filter((word) => word !== '').join(' ')
}
