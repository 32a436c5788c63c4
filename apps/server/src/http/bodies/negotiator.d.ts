declare module 'negotiator' {
  /** Version 1 accepts the server's order of preference, which the published types lack. */
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> })
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined
  }
}
