/**
 * The start of an encrypted bundle that the first script has drawn. The app shows it until the app itself has decrypted
 * the bundle.
 */
let drawn: { readonly slug: string; readonly article: HTMLElement } | null = null

export function keepEarlyText(slug: string, article: HTMLElement): void {
  drawn = { slug, article }
}

export const findEarlyText = (slug: string): HTMLElement | null =>
  drawn?.slug === slug ? drawn.article : null

/**
 * Call when the app shows the bundle. The early text must not appear again, because a later revision can have another
 * text.
 */
export function forgetEarlyText(): void {
  drawn = null
}
