import { existsSync } from 'node:fs'
import { refuse } from './undo.ts'

/**
 * Reads the settings of a program from its environment. An invalid value ends the program with exit code 2 and a
 * message. A blank value counts as absent.
 */

function textOf(name: string): string | undefined {
  const text = process.env[name]?.trim()
  return text === '' ? undefined : text
}

const wrong = (name: string, needed: string): never =>
  refuse(`${name} is ${JSON.stringify(process.env[name])}, but it must be ${needed}.`)

interface Bounds {
  readonly least: number
  readonly most?: number
}

const within = ({ least, most }: Bounds) => (most === undefined ? `${least} or more` : `${least} to ${most}`)

const isWithin = (value: number, { least, most = Number.MAX_SAFE_INTEGER }: Bounds) =>
  value >= least && value <= most

/** Parses digits with an optional exponent after `e`. Returns NaN for any other text. */
const parseWhole = (text: string): number => (/^\d+(e\d+)?$/.test(text) ? Number(text) : Number.NaN)

export function wholeNumber(name: string, fallback: number, bounds: Bounds = { least: 1 }): number {
  const text = textOf(name)
  if (text === undefined) return fallback
  const value = parseWhole(text)
  return isWithin(value, bounds) ? value : wrong(name, `a whole number, ${within(bounds)}`)
}

/** Reads integers separated by commas. */
export function wholeNumbers(name: string, fallback: readonly number[], bounds: Bounds = { least: 1 }) {
  const text = textOf(name)
  if (text === undefined) return fallback
  const values = text.split(',').map((part) => parseWhole(part.trim()))
  const areAll = values.every((value) => isWithin(value, bounds))
  return areAll ? values : wrong(name, `whole numbers with commas between them, each ${within(bounds)}`)
}

export function decimal(name: string, fallback: number, bounds: Bounds): number {
  const text = textOf(name)
  if (text === undefined) return fallback
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return isWithin(value, bounds) ? value : wrong(name, `a number, ${within(bounds)}`)
}

/** Reads one of `choices`. */
export function choice<One extends string, Absent extends One | null>(
  name: string,
  choices: readonly One[],
  fallback: Absent,
): One | Absent {
  const text = textOf(name)
  if (text === undefined) return fallback
  const found = choices.find((one) => one === text)
  return found ?? wrong(name, choices.map((one) => JSON.stringify(one)).join(' or '))
}

/** @param needed description of the texts that `pattern` matches, for the message */
export function word<Absent extends string | undefined>(
  name: string,
  fallback: Absent,
  { pattern = /^.+$/s, needed = 'a text' }: { pattern?: RegExp; needed?: string } = {},
): string | Absent {
  const text = textOf(name)
  if (text === undefined) return fallback
  return pattern.test(text) ? text : wrong(name, needed)
}

function address(name: string, protocols: readonly string[]): string | undefined {
  const text = textOf(name)
  if (text === undefined) return undefined
  const isOne = URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1))
  return isOne ? text : wrong(name, `an address that begins with ${protocols.join(':// or ')}://`)
}

export const webAddress = (name: string) => address(name, ['https', 'http'])
/** Reads the URL of an empty PostgreSQL database. Without a URL, SQLite is used. */
export const databaseUrl = () => address('DATABASE_URL', ['postgres', 'postgresql'])

/** Reads the path of an existing file or folder. */
export function existing<Absent extends string | undefined>(name: string, fallback: Absent): string | Absent {
  const text = textOf(name)
  if (text === undefined) return fallback
  return existsSync(text) ? text : wrong(name, 'the path of something that exists')
}

/** Reads the ID of a process running on this machine. */
export function runningProcess(name: string): number | null {
  const text = textOf(name)
  if (text === undefined) return null
  const pid = parseWhole(text)
  const isRunning = pid > 0 && existsSync(`/proc/${pid}`)
  return isRunning ? pid : wrong(name, 'the id of a process that runs on this machine')
}
