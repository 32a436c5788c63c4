import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  fileErrors,
  OPEN_HEADER,
  OPEN_HEADER_VALUE,
  openingRoutes,
  pasteErrors,
  type ReplyOf,
  shareErrors,
} from '@dropleaf/contract'
import { call, type Connection } from './client.ts'
import { CliError, EXIT, hasCode, isUnreachable } from './errors.ts'
import { askPin, readPin, type Run } from './run.ts'

const TRIES = 3
const RETRY_DELAY_MS = 1000
const DEVICE_BYTES = 32

const HEADERS = { accept: 'application/json', [OPEN_HEADER]: OPEN_HEADER_VALUE }

/** Whether the error means that the share requires confirmation. */
export const asksFirst = (error: unknown): boolean => hasCode(error, shareErrors.ask_first.code)

interface Taking {
  readonly slug: string
  readonly password: string | null
}

type TakeRoute = typeof openingRoutes.takeText | typeof openingRoutes.takeFile

/**
 * Opens a share that requires confirmation, which uses one view. If no PIN is given, asks for the PIN in the
 * terminal. A retry after a lost connection uses no further view.
 * @throws {CliError}
 */
async function take(
  run: Run,
  connection: Connection,
  { route, slug, password }: Taking & { readonly route: TakeRoute },
): Promise<unknown> {
  const device = randomBytes(DEVICE_BYTES).toString('base64url')
  let pin = readPin(run)
  for (let tries = 1; ; tries += 1) {
    try {
      const body = { device, password, pin }
      return await call(connection, route, { params: { slug }, body, headers: HEADERS })
    } catch (error) {
      if (hasCode(error, pasteErrors.password_missing.code, fileErrors.password_missing.code))
        throw new CliError({ exitCode: EXIT.credential, text: 'get.password', cause: error })
      if (hasCode(error, shareErrors.pin_missing.code)) {
        pin = await askPin(run)
        if (pin === null) throw new CliError({ exitCode: EXIT.credential, text: 'get.pin', cause: error })
      } else if (!isUnreachable(error) || tries >= TRIES) throw error
      else await sleep(RETRY_DELAY_MS * tries)
    }
  }
}

/** Opens a text. The `accept` header requests JSON. @throws {CliError} */
export const takeText = async (run: Run, connection: Connection, taking: Taking) =>
  (await take(run, connection, { ...taking, route: openingRoutes.takeText })) as ReplyOf<
    typeof openingRoutes.openText
  >

/** Opens a file. Its URLs work for some hours. @throws {CliError} */
export const takeFile = async (run: Run, connection: Connection, taking: Taking) =>
  (await take(run, connection, { ...taking, route: openingRoutes.takeFile })) as ReplyOf<
    typeof openingRoutes.openFile
  >
