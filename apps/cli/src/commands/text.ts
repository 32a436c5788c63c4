import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_KEY_HEADER, pasteRoutes } from '@dropleaf/contract'
import { call } from '../client.ts'
import { isUnreachable, usageError } from '../errors.ts'
import { textLink } from '../links.ts'
import { readCount, readExpiry, readOpening } from '../options.ts'
import { readText } from '../read-text.ts'
import { connect, printJson, readPassword, readPin, type Run } from '../run.ts'

const HOUR_MS = 3_600_000
const TRIES = 3

/** Shares a text. Repeating the command after a broken connection creates no second share. */
export async function shareText(run: Run): Promise<void> {
  const { options, names } = run
  if (names.length > 1) throw usageError('usage.one_text')
  const hours = readExpiry(options.expires)
  const maxViews = readCount('--views', options.views)
  const pin = readPin(run)
  const opening = readOpening(options.opening, { asks: maxViews !== null || pin !== null })
  const connection = await connect(run)
  const password = await readPassword(run)
  const content = await readText(run.environment, names[0] ?? '-')
  const headers = { [IDEMPOTENCY_KEY_HEADER]: randomUUID() }
  const body = {
    content,
    content_type: options.plain ? ('text/plain' as const) : ('text/markdown' as const),
    slug: options.link ?? null,
    remark: options.remark ?? null,
    password,
    expiresAt: hours === null ? null : new Date(Date.now() + hours * HOUR_MS).toISOString(),
    maxViews,
    opening,
    pin,
  }
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await call(connection, pasteRoutes.create, { body, headers })
      const link = textLink(connection.server, made.slug)
      if (!options.json) run.print(link)
      else printJson(run, { link, slug: made.slug, expires_at: made.expiresAt ?? null, max_views: maxViews })
      return
    } catch (error) {
      if (!isUnreachable(error) || tries === TRIES) throw error
      await sleep(1000 * tries)
    }
  }
}
