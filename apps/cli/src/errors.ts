import type { TextKey, TextParams } from './texts/index.ts'

/** Exit codes for scripts; 0 is success. */
export const EXIT = {
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  network: 5,
  credential: 6,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The reason why a command fails, with a message of the command line or of the server. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** Key of a command-line message; `null` if the message comes from the server. */
  readonly text: TextKey | null
  readonly params: TextParams
  /** The server's stable error code, or the code of a `SealError`; `null` if there is none. */
  readonly code: string | null
  /** HTTP status; 0 if there was no response. */
  readonly status: number

  constructor(input: {
    exitCode: ExitCode
    text?: TextKey
    params?: TextParams
    message?: string
    code?: string | null
    status?: number
    cause?: unknown
  }) {
    super(input.message ?? input.text ?? '', { cause: input.cause })
    this.exitCode = input.exitCode
    this.text = input.text ?? null
    this.params = input.params ?? {}
    this.code = input.code ?? null
    this.status = input.status ?? 0
  }
}

export const usageError = (text: TextKey, params: TextParams = {}): CliError =>
  new CliError({ exitCode: EXIT.usage, text, params })

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof CliError && error.code !== null && codes.includes(error.code)

/** Whether no response arrived. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof CliError && error.exitCode === EXIT.network && error.status === 0
