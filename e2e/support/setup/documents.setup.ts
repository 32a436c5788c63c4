import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { missingPrograms } from '../documents.ts'

const APT_GET = '/usr/bin/apt-get'

/** Installs the Debian programs that read exported documents. Does nothing without root permissions. */
export default async function setup(): Promise<void> {
  const packages = missingPrograms().map(({ debianPackage }) => debianPackage)
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync(APT_GET)) return
  console.log(`Installing ${packages.join(', ')} for the tests of exports.`)
  const apt = (args: readonly string[]) =>
    promisify(execFile)(APT_GET, ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 ** 2,
    })
  const install = () => apt(['install', '-y', '--no-install-recommends', ...packages])
  try {
    await install().catch(async () => {
      await apt(['update'])
      await install()
    })
  } catch (error) {
    // Does not fail, because the tests that need the programs report missing programs.
    console.log(`The installation failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
