const isCheckout = import.meta.filename.endsWith('.ts')

/** How a command of the console is called: by npm in a checkout, elsewhere by the command of the package. */
export function callOf(command: string, args = ''): string {
  const words = isCheckout ? ['npm run', command, args && `-- ${args}`] : ['dropleaf', command, args]
  return words.filter((word) => word !== '').join(' ')
}
