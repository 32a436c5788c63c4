/** Lets the browser answer between two pieces of work. */
export const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
