import { access } from 'node:fs/promises'
import { run } from './run.mjs'

/**
 * Path of the headless shell. It does not draw frames that nobody sees. Tests therefore take half the time that they
 * take in the full browser.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const CANDIDATES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const APT_GET = '/usr/bin/apt-get'

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )

async function findChromium() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return (await exists(CHROMIUM_PATH)) ? CHROMIUM_PATH : null
  for (const file of CANDIDATES) if (await exists(file)) return file
  return null
}

async function installWithApt() {
  console.log('Installing Chromium and Chinese fonts from the Debian packages…')
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const install = (browser) =>
    run(APT_GET, ['install', '-y', '-q', '--no-install-recommends', browser, 'fonts-noto-cjk'], quiet)
  if ((await install('chromium-headless-shell')) === 0) return
  await run(APT_GET, ['update', '-q'], quiet)
  if ((await install('chromium-headless-shell')) !== 0) await install('chromium')
}

/**
 * Finds a Chromium for the browser tests: the one of `CHROMIUM_PATH`, otherwise an installed one. If the headless shell
 * is missing and this user is allowed to install packages, installs Debian's package first.
 * @returns {Promise<string | null>} its path; null if there is none
 */
export async function ensureChromium() {
  if (process.env.CHROMIUM_PATH) return findChromium()
  const mayInstall = process.getuid?.() === 0 && (await exists(APT_GET))
  if (mayInstall && !(await exists(HEADLESS_SHELL))) await installWithApt()
  return findChromium()
}

export const CHROMIUM_MISSING =
  'The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell fonts-noto-cjk), name ' +
  'another one by CHROMIUM_PATH, or leave these tests out with ALLOW_SKIP=chromium.'
