import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../lib/start-error.ts'

/** One value read from the environment. */
export interface ConfigItem<Value> {
  readonly env: string
  /** Parses the text of the variable. */
  readonly schema: z.ZodMiniType<Value>
  /** The value if the variable is absent or empty. For a secret, the file must be absent too. */
  readonly default: Value
  readonly doc: string
  /**
   * Whether the value is a secret. A secret can also come from a file, whose path is in the variable `NAME_FILE`. The
   * server prints a secret as `[redacted]`.
   */
  readonly isSecret?: boolean
}

export type ConfigItems = Readonly<Record<string, ConfigItem<unknown>>>
export type ConfigOf<Items extends ConfigItems> = { readonly [Name in keyof Items]: Items[Name]['default'] }

/** Infers the types of a group of configuration items. `docs:config` documents them, and `loadConfig` reads them. */
export function defineConfig<const Items extends ConfigItems>(items: Items): Items {
  return items
}

/** Infers the type of the value as `string` or `number`, for example, instead of the literal type of the default. */
export function item<Value>(it: ConfigItem<Value>): ConfigItem<Value> {
  return it
}

export class ConfigError extends StartError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    )
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

function readVariable(it: ConfigItem<unknown>, env: Environment, problems: string[]): string | undefined {
  const direct = env[it.env]
  if (direct !== undefined && direct !== '') return direct
  const file = it.isSecret ? env[`${it.env}_FILE`] : undefined
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problems.push(`${it.env}_FILE: cannot read ${file}: ${(error as Error).message}`)
    return undefined
  }
}

/**
 * Reads every item from `env`.
 * @throws {ConfigError} naming **every** problem at once.
 */
export function readConfig<Items extends ConfigItems>(items: Items, env: Environment): ConfigOf<Items> {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, it] of Object.entries(items)) {
    const text = readVariable(it, env, problems)
    if (text === undefined) {
      values[name] = it.default
      continue
    }
    const parsed = z.safeParse(it.schema, text)
    if (parsed.success) values[name] = parsed.data
    else
      problems.push(
        `${it.env}: ${parsed.error.issues[0]?.message ?? 'is not valid'} (it is ${it.isSecret ? '[redacted]' : JSON.stringify(text)})`,
      )
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return values as ConfigOf<Items>
}
