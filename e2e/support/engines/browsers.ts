import { existsSync } from 'node:fs'
import { startByPuppeteer } from './puppeteer.ts'
import type { Engine } from './tab.ts'
import { webKit } from './webkit.ts'

export type BrowserName = 'chromium' | 'firefox' | 'webkit'

/** Paths of the programs in Debian's packages, and the variables that select other programs. */
const PROGRAMS: Readonly<Record<BrowserName, { readonly variable: string; readonly path: string }>> = {
  chromium: { variable: 'CHROMIUM_PATH', path: '/usr/bin/chromium-headless-shell' },
  firefox: { variable: 'FIREFOX_PATH', path: '/usr/bin/firefox-esr' },
  webkit: { variable: 'WEBKIT_DRIVER_PATH', path: '/usr/bin/WebKitWebDriver' },
}

const pathOf = (browser: BrowserName): string => {
  const { variable, path } = PROGRAMS[browser]
  return process.env[variable] || path
}

export const hasBrowser = (browser: BrowserName): boolean => existsSync(pathOf(browser))

export async function startBrowser(browser: BrowserName): Promise<Engine> {
  const executablePath = pathOf(browser)
  if (browser === 'webkit') return webKit(executablePath)
  if (browser === 'firefox') return startByPuppeteer({ browser, executablePath })
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return startByPuppeteer({ browser: 'chrome', executablePath, args })
}
