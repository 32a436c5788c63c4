declare module 'negotiator' {
  /** Version 1 knows a preference of the server's own, which the published types do not. */
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> })
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined
  }
}
