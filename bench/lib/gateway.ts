import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CephGateway,
  FOLDER_START,
  startCephGateway,
} from '../../packages/storage/src/testing/ceph-gateway.ts'
import { atExit, killNow } from './undo.ts'

function pidsOf(folder: string): number[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /^run\/[^/]+\.pid$/.test(name))
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')))
    .filter((pid) => pid > 1 && commandOf(pid).includes(folder))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Kills the daemons. Finds them by their folder, because they are not children of this process. */
function stopAtOnce(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(`${FOLDER_START}${process.pid}-`)) continue
    const folder = join(tmpdir(), name)
    killNow(pidsOf(folder))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts an S3 server that ends with this process. */
export function startGateway(): Promise<CephGateway> {
  atExit(stopAtOnce)
  return startCephGateway()
}
