declare module 'negotiator' {
  /** Types of version 1. The published types lack the server's order of preference, which this version accepts. */
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> })
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined
  }
}
