import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse, run } from './undo.ts'

/** The source file and the copies on the sides of a benchmark. */
const COPIES = 5

/** Writes incompressible random bytes. @returns the path of the file. */
export async function makeLargeFile(folder: string, sizeBytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  const most = Math.floor((bavail * bsize) / COPIES)
  if (sizeBytes > most)
    refuse(`SIZE is ${sizeBytes}, but it must be ${most} or less: ${folder} has no space for more.`)
  const file = join(folder, 'large.bin')
  await run('sh', ['-c', 'head -c "$1" /dev/urandom > "$2"', 'sh', String(sizeBytes), file])
  return file
}
