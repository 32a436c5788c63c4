import { createHash } from 'node:crypto'
import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse, run } from './undo.ts'

/**
 * Number of copies that must fit on the disk: the source file, and one copy for each of up to four compared servers.
 */
const COPIES = 5
const MIB = 1024 ** 2

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

/**
 * Writes a sparse file. Each MiB starts with a unique mark, so that parts in the wrong order change the checksum.
 * @returns its path
 */
export async function makeMarkedFile(path: string, sizeBytes: number): Promise<string> {
  const handle = await open(path, 'w')
  await handle.truncate(sizeBytes)
  for (let offset = 0; offset < sizeBytes; offset += MIB) {
    const mark = createHash('sha512').update(String(offset)).digest()
    await handle.write(mark.subarray(0, Math.min(mark.length, sizeBytes - offset)), 0, undefined, offset)
  }
  await handle.close()
  return path
}

export async function checksum(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
