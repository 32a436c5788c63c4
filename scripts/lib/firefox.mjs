import { access } from 'node:fs/promises'
import { run } from './run.mjs'

const FIREFOX = '/usr/bin/firefox-esr'
const APT_GET = '/usr/bin/apt-get'

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Finds a Firefox for the journeys of encrypted bundles. If there is none and this user is allowed to install
 * packages, installs Debian's package.
 * @returns {Promise<boolean>} whether there is one; the journeys are skipped without it
 */
export async function ensureFirefox() {
  const { FIREFOX_PATH } = process.env
  if (FIREFOX_PATH) return exists(FIREFOX_PATH)
  const mayInstall = process.getuid?.() === 0 && (await exists(APT_GET))
  if (mayInstall && !(await exists(FIREFOX))) {
    console.log('Installing Firefox ESR from the Debian packages…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env }
    const install = ['install', '-y', '-q', '--no-install-recommends', 'firefox-esr']
    if ((await run(APT_GET, install, quiet)) !== 0) {
      await run(APT_GET, ['update', '-q'], quiet)
      await run(APT_GET, install, quiet)
    }
  }
  return exists(FIREFOX)
}
