import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../lib/undo.ts'
import { counted, isOk, recovery, type Reply, share, slowest, withProduct } from './product.ts'

/** Locks the database from another program. Writers must wait or get an error, and nothing may be lost. */
export const lockedDatabase = () =>
  withProduct(async (product, folder) => {
    const name =
      (await run('ls', [folder])).stdout.split('\n').find((file) => /\.(db|sqlite)$/.test(file)) ?? ''
    const other = new DatabaseSync(join(folder, name))
    other.exec('BEGIN IMMEDIATE')
    const during = Array.from({ length: 5 }, () => share(product))
    await sleep(3000)
    other.exec('ROLLBACK')
    const short = await Promise.all(during)
    other.exec('BEGIN IMMEDIATE')
    const longer = Array.from({ length: 3 }, () => share(product))
    await sleep(30_000)
    other.exec('ROLLBACK')
    other.close()
    const long = await Promise.all(longer)
    const back = await recovery(() => share(product))
    return {
      told: `held for 3 s: ${counted(short)}, slowest ${slowest(short)}; for 30 s: ${counted(long)}, slowest ${slowest(long)}; works again after ${back}`,
      isGood: short.every(isOk) && long.every(({ status }) => status === 503 || isOk({ status } as Reply)),
    }
  })
