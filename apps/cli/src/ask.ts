import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Environment } from './environment.ts'
import { usageError } from './errors.ts'

/**
 * Asks questions in the terminal. Prints the questions to standard error, so that standard output can be piped. If
 * the input is a pipe, its lines are the answers.
 * @throws {CliError} if the input ends first
 */
export async function ask(
  { stdin, stderr }: Environment,
  questions: ReadonlyArray<{ readonly text: string; readonly isSecret: boolean }>,
): Promise<string[]> {
  let isMuted = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY ?? false })
  const ended = new AbortController()
  // Lines that arrive before the question that they answer, for example from a pipe.
  const waiting: string[] = []
  let take: ((line: string) => void) | null = null
  lines.on('line', (line) => {
    if (take === null) {
      waiting.push(line)
      return
    }
    take(line)
    take = null
  })
  lines.once('close', () => ended.abort(usageError('usage.no_terminal')))
  const answers: string[] = []
  try {
    for (const { text, isSecret } of questions) {
      stderr.write(text)
      isMuted = isSecret
      answers.push(
        waiting.shift() ??
          (await new Promise<string>((resolve, reject) => {
            if (ended.signal.aborted) reject(usageError('usage.no_terminal'))
            take = resolve
            ended.signal.addEventListener('abort', () => reject(usageError('usage.no_terminal')))
          })),
      )
      isMuted = false
      if (isSecret || !stdin.isTTY) stderr.write('\n')
    }
    return answers.map((answer) => answer.trim())
  } finally {
    lines.close()
  }
}
