import { MAX_VIEWS_LIMIT, type Opening, OPENINGS } from '@dropleaf/contract'
import { parseArgs } from 'node:util'
import { usageError } from './errors.ts'

const CONNECTION = { server: { type: 'string' }, key: { type: 'string' }, json: { type: 'boolean' } } as const
const PASSWORD = { password: { type: 'string' }, 'ask-password': { type: 'boolean' } } as const
const PIN = { pin: { type: 'string' } } as const
const SHARE = {
  ...PASSWORD,
  ...PIN,
  opening: { type: 'string' },
  expires: { type: 'string' },
  views: { type: 'string' },
  link: { type: 'string' },
  remark: { type: 'string' },
  seal: { type: 'boolean' },
} as const

const OPTIONS = {
  login: { server: { type: 'string' } },
  logout: {},
  text: { ...CONNECTION, ...SHARE, plain: { type: 'boolean' } },
  file: {
    ...CONNECTION,
    ...SHARE,
    name: { type: 'string' },
    folder: { type: 'string' },
    whole: { type: 'boolean' },
  },
  share: {
    ...CONNECTION,
    ...SHARE,
    page: { type: 'string' },
    'no-page': { type: 'boolean' },
    plain: { type: 'boolean' },
    title: { type: 'string' },
    folder: { type: 'string' },
    whole: { type: 'boolean' },
  },
  list: { ...CONNECTION, limit: { type: 'string' } },
  get: {
    ...CONNECTION,
    ...PASSWORD,
    ...PIN,
    output: { type: 'string', short: 'o' },
    only: { type: 'string' },
    force: { type: 'boolean' },
    encrypted: { type: 'boolean' },
  },
  open: {
    ...PASSWORD,
    json: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    only: { type: 'string' },
    force: { type: 'boolean' },
    manifest: { type: 'string' },
  },
  delete: CONNECTION,
} as const satisfies Record<string, Record<string, { type: 'string' | 'boolean'; short?: string }>>

export type CommandName = keyof typeof OPTIONS
export const isCommand = (name: string): name is CommandName => Object.hasOwn(OPTIONS, name)

const EVERY_OPTION = {
  ...OPTIONS.list,
  ...OPTIONS.text,
  ...OPTIONS.file,
  ...OPTIONS.share,
  ...OPTIONS.get,
  ...OPTIONS.open,
}
const isOption = (name: string) => Object.hasOwn(EVERY_OPTION, name) || name === 'help' || name === 'h'

/**
 * Splits the arguments into the command and the rest. Options can come before the command.
 * @returns `null` if there is no command
 * @throws {CliError} for an unknown option before the command
 */
export function splitCommand(args: readonly string[]): { command: string; rest: readonly string[] } | null {
  const { tokens } = parseArgs({
    args: [...args],
    options: EVERY_OPTION,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const first = tokens.find(({ kind }) => kind === 'positional')
  const before = tokens.find(
    (token) => token.kind === 'option' && !isOption(token.name) && !(first && token.index > first.index),
  )
  if (before?.kind === 'option') throw usageError('usage.early_option', { name: before.rawName })
  if (!first) return null
  const { index } = first
  return { command: args[index] ?? '', rest: args.filter((_arg, at) => at !== index) }
}

export interface Options {
  readonly server?: string
  readonly key?: string
  readonly json?: boolean
  readonly password?: string
  readonly 'ask-password'?: boolean
  readonly pin?: string
  readonly opening?: string
  readonly expires?: string
  readonly views?: string
  readonly link?: string
  readonly remark?: string
  readonly seal?: boolean
  readonly encrypted?: boolean
  readonly manifest?: string
  readonly plain?: boolean
  readonly name?: string
  readonly page?: string
  readonly 'no-page'?: boolean
  readonly title?: string
  readonly only?: string
  readonly folder?: string
  readonly whole?: boolean
  readonly limit?: string
  readonly output?: string
  readonly force?: boolean
}

/** Matches a key of a sealed bundle that starts with a dash and could therefore be mistaken for an option. */
const KEY_WITH_DASH = /^-[\w-]{41}[AEIMQUYcgkosw048]$/

/** @throws {CliError} for an option that the command does not accept */
export function parseOptions(
  command: CommandName,
  args: readonly string[],
): { options: Options; names: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) => (KEY_WITH_DASH.test(arg) ? `#${arg}` : arg)),
      options: OPTIONS[command],
      allowPositionals: true,
    })
    return { options: values as Options, names: positionals }
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const [, name = ''] = /'(-[^'\s]*)/.exec(message) ?? []
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw usageError('usage.option', { name })
    throw usageError('usage.options', { detail: message })
  }
}

const HOURS = { h: 1, d: 24, w: 168 } as const

/** Converts `12h`, `7d`, `4w` to hours; `null` for never or undefined. @throws {CliError} */
export function readExpiry(value: string | undefined): number | null {
  if (value === undefined || value === 'never') return null
  const [, count, unit] = /^([1-9]\d{0,5})([hdw])$/.exec(value) ?? []
  if (count === undefined || unit === undefined) throw usageError('usage.expires', { value })
  return Number(count) * HOURS[unit as keyof typeof HOURS]
}

/** Parses an integer from 1 to `max`; returns `null` if undefined. @throws {CliError} */
export function readCount(name: string, value: string | undefined, max = MAX_VIEWS_LIMIT): number | null {
  if (value === undefined) return null
  const count = /^\d+$/.test(value) ? Number(value) : 0
  if (count < 1 || count > max) throw usageError('usage.number', { name, value })
  return count
}

const isOpening = (value: string): value is Opening => (OPENINGS as readonly string[]).includes(value)

/**
 * Returns how a share opens. By default, a share with a view limit or PIN requires confirmation, so that link
 * previews do not use up its views. `null` leaves the choice to the server.
 * @throws {CliError}
 */
export function readOpening(value: string | undefined, { asks }: { asks: boolean }): Opening | null {
  if (value === undefined) return asks ? 'ask' : null
  if (!isOpening(value)) throw usageError('usage.opening', { value })
  return value
}
