import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { createContext } from '../src/context.ts'
import { accessTable, TABLE_BEGIN, TABLE_END } from '../src/http/docs/access-docs.ts'

const TARGET = fileURLToPath(new URL('../../../docs/security.md', import.meta.url))

/** Builds the application only to read its routes; no request is sent. */
async function readTable(dataDir: string): Promise<string> {
  writeFileSync(join(dataDir, 'index.html'), '')
  const config = loadConfig({ DATA_DIR: join(dataDir, 'data'), WEB_ROOT: dataDir })
  const ctx = await createContext(config, pino({ level: 'silent' }))
  const app = await buildApp(ctx)
  try {
    return accessTable(app.declaredAccess)
  } finally {
    await app.close()
    await ctx.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dropleaf-docs-'))
try {
  const page = readFileSync(TARGET, 'utf8')
  const [before] = page.split(TABLE_BEGIN)
  const after = page.split(TABLE_END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`There is no place for the table in ${TARGET}.`)
  writeFileSync(TARGET, `${before}${TABLE_BEGIN}\n\n${await readTable(folder)}\n\n${TABLE_END}${after}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
