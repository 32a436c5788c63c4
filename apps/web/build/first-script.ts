/** A language as the first script of a page knows it. */
export interface FirstLanguage {
  readonly code: string
  readonly manifest: string
}

/**
 * Runs before the first paint: colour scheme and language of the page, without a flash of the wrong one. Its text is
 * `theme.js`, so it uses nothing from around it. The first of the languages is for everybody else.
 */
export function runFirst(languages: readonly [FirstLanguage, ...FirstLanguage[]]): void {
  const root = document.documentElement
  /** The app uses all of them; the first is syntax, which an older browser refuses a whole file for. */
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
  // The page says which browsers can run it until this takes that away.
  if (isFit()) root.dataset['fit'] = ''
  // Covers syntax that no check has foreseen: a file of the app cannot be parsed, and nothing is shown yet.
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
    // Storage may be blocked; the defaults stand.
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
  // The name under which the app is installed is in the same language.
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
  if (link) link.href = link.href.replace(/[^/]*\.webmanifest$/, chosen.manifest)
}
