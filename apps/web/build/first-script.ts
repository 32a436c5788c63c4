/** Data about a language for the first script of a page. */
export interface FirstLanguage {
  readonly code: string
  readonly manifest: string
}

/**
 * Sets the colour scheme and the language before the first paint, so that the page does not flash. The source of this
 * function becomes `theme.js`, so the function must not refer to anything outside itself. The first language is the
 * fallback.
 */
export function runFirst(languages: readonly [FirstLanguage, ...FirstLanguage[]]): void {
  const root = document.documentElement
  /**
   * Tests features that the app needs. The lookbehind is in a string, because an older browser would reject the whole
   * file for a lookbehind literal.
   */
  const isFit = () => {
    try {
      return (
        new RegExp('(?<=a)b').test('ab') &&
        'noModule' in document.createElement('script') &&
        typeof URL.parse === 'function' &&
        typeof AbortSignal.any === 'function' &&
        typeof Promise.withResolvers === 'function'
      )
    } catch {
      return false
    }
  }
  // Hides the message about supported browsers.
  if (isFit()) root.dataset['fit'] = ''
  // Shows the message about supported browsers if a file of the app cannot be parsed. Covers syntax that `isFit` does
  // not test.
  addEventListener('error', ({ error }) => {
    if (error instanceof SyntaxError && !document.getElementById('root')?.firstChild)
      delete root.dataset['fit']
  })
  let mode: string | null = 'auto'
  let stored: string | null = null
  try {
    mode = localStorage.getItem('themeMode')
    stored = localStorage.getItem('language')
  } catch {
    // The browser can block storage. In this case the default applies.
    mode = 'auto'
  }
  const isDark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  const primary = (tag: string) => tag.toLowerCase().split('-')[0]
  const find = (test: (code: string) => boolean) => languages.find(({ code }) => test(code))
  const chosen =
    find((code) => code === stored) ??
    find((code) => code === navigator.language) ??
    find((code) => primary(code) === primary(navigator.language)) ??
    languages[0]
  root.lang = chosen.code
  // The manifest contains the name of the installed app in the chosen language.
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
  if (link) link.href = link.href.replace(/[^/]*\.webmanifest$/, chosen.manifest)
}
