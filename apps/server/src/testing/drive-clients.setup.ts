import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Paths of the installed WebDAV clients; `null` for a client that is not installed. */
    driveClients: Readonly<Record<DriveClient, string | null>>
  }
}

const PROGRAMS = {
  litmus: '/usr/bin/litmus',
  rclone: '/usr/bin/rclone',
  cadaver: '/usr/bin/cadaver',
  curl: '/usr/bin/curl',
  davfs2: '/usr/sbin/mount.davfs',
} as const

export type DriveClient = keyof typeof PROGRAMS

const NAMES = Object.keys(PROGRAMS) as DriveClient[]
const APT_GET = '/usr/bin/apt-get'

const missing = () => NAMES.filter((name) => !existsSync(PROGRAMS[name]))

async function install(packages: readonly string[]): Promise<void> {
  console.log(`Installing ${packages.join(', ')} for the tests of the network drive.`)
  const apt = (args: readonly string[]) =>
    promisify(execFile)(APT_GET, ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 ** 2,
    })
  await apt(['update'])
  await apt(['install', '-y', '--no-install-recommends', ...packages])
}

/**
 * Installs missing WebDAV clients from Debian if this user is root.
 * @throws {Error} if a client is still missing, unless `ALLOW_SKIP` contains `webdav`
 */
export default async function setup(project: TestProject): Promise<void> {
  const mayInstall = process.getuid?.() === 0 && existsSync(APT_GET)
  if (mayInstall && missing().length > 0) await install(missing())
  const left = missing()
  if (left.length > 0 && !process.env.ALLOW_SKIP?.split(',').includes('webdav'))
    throw new Error(
      `The tests of the network drive need ${left.join(', ')}: install them (Debian packages of these names), or leave their tests out with ALLOW_SKIP=webdav.`,
    )
  if (left.length > 0)
    console.log(
      `The tests of the drive with ${left.join(', ')} are skipped, as ALLOW_SKIP asks: not installed.`,
    )
  const found = Object.fromEntries(NAMES.map((name) => [name, left.includes(name) ? null : PROGRAMS[name]]))
  project.provide('driveClients', found as Record<DriveClient, string | null>)
}
