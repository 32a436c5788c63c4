/**
 * Loads modules that make errors in advance, as React does. For the stack of each, V8 reads the whole module around it once more, which
 * takes a phone as long as to run it. Those errors are signs, and nobody sees where they were made.
 */
export async function withoutStacks<Module>(load: () => Promise<Module>): Promise<Module> {
  const { stackTraceLimit } = Error
  // Without a number no stack is taken; 0 would be a stack of nothing, for which V8 reads as much.
  Reflect.deleteProperty(Error, 'stackTraceLimit')
  try {
    return await load()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
