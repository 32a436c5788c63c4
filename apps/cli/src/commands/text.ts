import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_KEY_HEADER, pasteRoutes } from '@dropleaf/contract'
import { call, type Connection } from '../client.ts'
import { isUnreachable, usageError } from '../errors.ts'
import { textLink } from '../links.ts'
import { readCount, readExpiry, readOpening } from '../options.ts'
import { readText } from '../read-text.ts'
import { connect, printJson, readPassword, readPin, type Run } from '../run.ts'
import { readBundleSettings, shareSealed } from '../sealed/share-sealed.ts'

const HOUR_MS = 3_600_000
const TRIES = 3

const typeOf = ({ options }: Run) => (options.plain ? ('text/plain' as const) : ('text/markdown' as const))

async function shareSealedText(run: Run, connection: Connection): Promise<void> {
  const { options, names, environment } = run
  const settings = { ...readBundleSettings(run), password: await readPassword(run) }
  const shown = names[0] ?? '-'
  const page = { type: typeOf(run), text: await readText(environment, shown) }
  const contents = { title: null, page, items: [] }
  const { link, slug } = await shareSealed(run, connection, { shown, parts: null, contents, settings })
  if (options.json) printJson(run, { link, slug, max_views: settings.max_views })
  else run.print(link)
}

/** Shares a text. After a broken connection, retries with the same idempotency key create no second share. */
export async function shareText(run: Run): Promise<void> {
  const { options, names } = run
  if (names.length > 1) throw usageError('usage.one_text')
  const hours = readExpiry(options.expires)
  const maxViews = readCount('--views', options.views)
  const pin = readPin(run)
  const opening = readOpening(options.opening, { asks: maxViews !== null || pin !== null })
  const connection = await connect(run)
  if (options.seal) {
    await shareSealedText(run, connection)
    return
  }
  const password = await readPassword(run)
  const content = await readText(run.environment, names[0] ?? '-')
  const headers = { [IDEMPOTENCY_KEY_HEADER]: randomUUID() }
  const body = {
    content,
    content_type: typeOf(run),
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
