import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inRoot } from './paths.mjs'

const execFileAsync = promisify(execFile)
const REQUIRED_MAJOR = 24

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version.trim())?.[1] ?? 0)

async function bundledPath() {
  const folder = ['node_modules', 'node']
  const { bin } = JSON.parse(await readFile(inRoot(...folder, 'package.json'), 'utf8'))
  return inRoot(...folder, typeof bin === 'string' ? bin : bin.node)
}

async function works(executable) {
  try {
    const { stdout } = await execFileAsync(executable, ['--version'], { timeout: 20_000 })
    return majorOf(stdout) >= REQUIRED_MAJOR
  } catch {
    return false
  }
}

/**
 * Finds the Node.js for the product. This is the Node.js that npm installed. If that one is unusable, uses the Node.js
 * that runs this script if it is new enough. The unusable Node.js is then removed from the search path of the tools.
 * @throws {Error} with a message for the user if there is none.
 */
export async function findNode() {
  const bundled = await bundledPath().catch(() => null)
  if (bundled !== null && (bundled === process.execPath || (await works(bundled)))) return bundled
  if (majorOf(process.version) >= REQUIRED_MAJOR) {
    await rm(inRoot('node_modules', '.bin', 'node'), { force: true })
    return process.execPath
  }
  throw new Error(
    `Dropleaf runs on Node.js ${REQUIRED_MAJOR}. The one that npm installs does not work on this machine ` +
      `(${process.platform} ${process.arch}), and yours is ${process.version}. Install Node.js ${REQUIRED_MAJOR} or newer, then try again.`,
  )
}
