import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse, run } from './undo.ts'

/** Number of copies that must fit on the disk: the source file and one for each side of a benchmark. */
const COPIES = 5

/** Writes a file of incompressible random bytes. @returns its path */
export async function makeLargeFile(folder: string, sizeBytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  const most = Math.floor((bavail * bsize) / COPIES)
  if (sizeBytes > most)
    refuse(`SIZE is ${sizeBytes}, but it must be ${most} or less: ${folder} has no space for more.`)
  const file = join(folder, 'large.bin')
  await run('sh', ['-c', 'head -c "$1" /dev/urandom > "$2"', 'sh', String(sizeBytes), file])
  return file
}
