import { shareErrors } from '@dropleaf/contract'
import { deleteShares } from './commands/delete.ts'
import { shareFiles } from './commands/file.ts'
import { getShare } from './commands/get.ts'
import { listShares } from './commands/list.ts'
import { login, logout } from './commands/login.ts'
import { shareBundle } from './commands/share.ts'
import { openCopy } from './commands/open.ts'
import { shareText } from './commands/text.ts'
import type { Environment } from './environment.ts'
import { CliError, EXIT, hasCode, usageError } from './errors.ts'
import { withoutKeys } from './links.ts'
import { type CommandName, isCommand, parseOptions, splitCommand } from './options.ts'
import type { Run } from './run.ts'
import { oneLine } from './terminal.ts'
import { languageOf, type TextKey, type TextParams, translate } from './texts/index.ts'

const COMMANDS: Readonly<Record<CommandName, (run: Run) => Promise<void>>> = {
  login,
  logout,
  text: shareText,
  file: shareFiles,
  share: shareBundle,
  list: listShares,
  get: getShare,
  open: openCopy,
  delete: deleteShares,
}

/** Commands that accept positional arguments. The other commands accept only options. */
const TAKES_NAMES: ReadonlySet<CommandName> = new Set([
  'text',
  'file',
  'share',
  'get',
  'open',
  'delete',
  'login',
])

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h'])

/** Runs one command. @returns its exit code, see docs/command-line.md. */
export async function runCli(args: readonly string[], environment: Environment): Promise<number> {
  const { stdout, stderr } = environment
  const language = languageOf(environment.variables)
  const say = (text: string) => void stderr.write(`${withoutKeys(oneLine(text))}\n`)
  const note = (key: TextKey, params: TextParams = {}) => say(translate(language, key, params))
  const print = (text: string) => void stdout.write(`${text}\n`)
  try {
    const { command, rest } = splitCommand(args) ?? { command: args[0] ?? 'help', rest: [] }
    if (HELP.has(command) || rest.includes('--help')) {
      print(translate(language, 'usage'))
      return 0
    }
    if (!isCommand(command)) throw usageError('usage.command', { name: command })
    const parsed = parseOptions(command, rest)
    const [word] = TAKES_NAMES.has(command) ? [] : parsed.names
    if (word !== undefined) throw usageError('usage.words', { command, word })
    await COMMANDS[command]({ environment, language, print, note, ...parsed })
    return 0
  } catch (error) {
    if (!(error instanceof CliError)) {
      say(error instanceof Error ? error.message : String(error))
      return EXIT.failed
    }
    if (hasCode(error, shareErrors.must_be_sealed.code)) note('seal.required')
    else if (error.text === null) say(error.message)
    else note(error.text, error.params)
    return error.exitCode
  }
}
