import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { atExit, ownFolder, run } from '../lib/undo.ts'
import { counted, isOk, MIB, openProduct, recovery, type Reply, type Report, share } from './product.ts'

/**
 * Fills a disk of 192 MiB. Uploads must fail with a clear error, stored files must survive, and freed space must be
 * usable.
 */
export async function fullDisk(): Promise<Report> {
  using own = ownFolder()
  const { path: folder } = own
  let isMounted = true
  const unmount = () => {
    if (isMounted) execFileSync('umount', ['-l', folder])
    isMounted = false
  }
  await run('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', folder])
  atExit(unmount)
  const product = await openProduct(folder)
  try {
    const replies: Reply[] = []
    const kept: string[] = []
    for (let at = 0; at < 22; at += 1) {
      const reply = await product.ask('PUT', `/api/fs/upload?path=/local/${at}.bin`, {
        body: randomBytes(8 * MIB),
      })
      replies.push(reply)
      if (isOk(reply)) kept.push(`/local/${at}.bin`)
    }
    // Fills the remaining space with smaller files.
    for (let sizeBytes = 4 * MIB; sizeBytes >= 16 * 1024; sizeBytes /= 2)
      for (let at = 0; at < 3; at += 1)
        await product.ask('PUT', `/api/fs/upload?path=/local/s-${sizeBytes}-${at}.bin`, {
          body: randomBytes(sizeBytes),
        })
    const texts = await Promise.all(
      Array.from({ length: 20 }, () =>
        product.ask('POST', '/api/paste', { body: { content: 'x'.repeat(200_000) } }),
      ),
    )
    const reads = await Promise.all(kept.map((path) => product.ask('GET', `/api/fs/download?path=${path}`)))
    const whole = reads.filter(({ body }) => body.length === 8 * MIB).length
    const removed = await product.ask('DELETE', '/api/fs/batch-remove', { body: { paths: kept.slice(0, 3) } })
    const back = await recovery(() => share(product))
    return {
      told: `files: ${counted(replies)}; texts: ${counted(texts)}; ${whole} of ${kept.length} files whole; a removal ${removed.status} ${removed.code}; works again after ${back}`,
      isGood:
        whole === kept.length &&
        [...replies, ...texts].every((reply) => isOk(reply) || reply.status === 507) &&
        isOk(removed),
    }
  } finally {
    await product.stop()
    unmount()
  }
}
