import { access } from 'node:fs/promises'
import { run } from './run.mjs'

const CANDIDATES = [
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
  const install = () =>
    run(APT_GET, ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'], quiet)
  if ((await install()) === 0) return
  await run(APT_GET, ['update', '-q'], quiet)
  await install()
}

/**
 * Finds a Chromium for the browser tests; installs Debian's when it may.
 * @returns {Promise<string | null>} its path, or null where there is none.
 */
export async function ensureChromium() {
  const found = await findChromium()
  if (found !== null || process.env.CHROMIUM_PATH) return found
  const mayInstall = process.getuid?.() === 0 && (await exists(APT_GET))
  if (mayInstall) await installWithApt()
  return findChromium()
}

export const CHROMIUM_MISSING =
  'The browser tests need Chromium. Install it (Debian: apt-get install chromium fonts-noto-cjk), name another one by ' +
  'CHROMIUM_PATH, or leave these tests out with ALLOW_SKIP=chromium.'
