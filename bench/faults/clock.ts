import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_PASSWORD as PASSWORD } from '../lib/product.ts'
import { ownFolder, run } from '../lib/undo.ts'
import { counted, isOk, openProduct, type Reply, type Report, share } from './product.ts'

/**
 * Moves the server's clock one and three days ahead, one day behind, and back. Shares must end or continue according to
 * their expiry, and no request may hang.
 */
export async function clockJump(): Promise<Report> {
  using own = ownFolder()
  const { path: folder } = own
  const offsets = join(folder, 'offset')
  await run('sh', ['-c', 'echo "+0" > "$0"', offsets])
  const { stdout } = await run('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null || true'])
  const library = stdout.trim()
  if (library === '') return { told: 'not tried: Debian’s faketime is not installed', isGood: true }
  const product = await openProduct(join(folder, 'data'), {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offsets,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  })
  try {
    const texts: Reply[] = [await share(product)]
    const kept = await product.ask('POST', '/api/paste', {
      body: {
        content: 'for two days',
        slug: 'two-days',
        expiresAt: new Date(Date.now() + 2 * 86_400_000).toISOString(),
      },
    })
    await run('sh', ['-c', 'echo "+1d" > "$0"', offsets])
    await sleep(1000)
    const ahead = [await product.ask('GET', '/api/paste/two-days'), await product.ask('GET', '/api/health')]
    await run('sh', ['-c', 'echo "+3d" > "$0"', offsets])
    await sleep(1000)
    const over = await product.ask('GET', '/api/paste/two-days')
    await run('sh', ['-c', 'echo "-1d" > "$0"', offsets])
    await sleep(1000)
    const behind = [await product.ask('GET', '/api/health')]
    const login = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    await run('sh', ['-c', 'echo "+0" > "$0"', offsets])
    await sleep(1000)
    const again = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    return {
      told: `before ${counted([...texts, kept])}; a day ahead ${counted(ahead)}; three days ahead ${counted([over])}; a day behind ${counted([...behind, login])}; right again ${counted([again])}`,
      isGood: [...texts, kept, ...ahead, ...behind, login, again].every(isOk) && over.status === 410,
    }
  } finally {
    await product.stop()
  }
}
