import { isTampering, SealError, type SealErrorCode } from '@dropleaf/seal'
import { UploadError } from '@dropleaf/uploader'
import { CliError, EXIT, type ExitCode } from '../errors.ts'
import type { TextKey } from '../texts/index.ts'

interface Words {
  readonly text: TextKey
  readonly exitCode: ExitCode
}

/** Messages of the command line for errors of the encryption. None of them contains a key or a password. */
const WORDS: Partial<Readonly<Record<SealErrorCode, Words>>> = {
  'key.missing': { text: 'seal.no_key', exitCode: EXIT.credential },
  'key.length': { text: 'seal.key_length', exitCode: EXIT.credential },
  'key.characters': { text: 'seal.key_characters', exitCode: EXIT.credential },
  'key.ending': { text: 'seal.key_characters', exitCode: EXIT.credential },
  'password.missing': { text: 'get.password', exitCode: EXIT.credential },
  'kdf.refused': { text: 'seal.kdf', exitCode: EXIT.refused },
  'share.malformed': { text: 'seal.invalid', exitCode: EXIT.refused },
  'manifest.version': { text: 'seal.version', exitCode: EXIT.refused },
  'manifest.too_large': { text: 'share.too_long', exitCode: EXIT.failed },
  'object.too_large': { text: 'seal.too_large', exitCode: EXIT.failed },
  'part.too_many_attempts': { text: 'seal.too_many_attempts', exitCode: EXIT.failed },
  'source.changed': { text: 'file.changed', exitCode: EXIT.failed },
  'source.unreadable': { text: 'file.changed', exitCode: EXIT.failed },
  'state.invalid': { text: 'seal.state', exitCode: EXIT.failed },
}

const OTHER: Words = { text: 'seal.invalid', exitCode: EXIT.refused }
const TAMPERED: Words = { text: 'seal.tampered', exitCode: EXIT.refused }

/**
 * Converts an error of the encryption. The error can also be the cause of a failed upload.
 * @param file the file's name in the message
 */
export function inSealWords(error: unknown, file: string): unknown {
  if (error instanceof UploadError && error.cause instanceof SealError) return inSealWords(error.cause, file)
  if (!(error instanceof SealError)) return error
  if (error.code === 'object.unreachable') return error.cause
  const { text, exitCode } = WORDS[error.code] ?? (isTampering(error) ? TAMPERED : OTHER)
  return new CliError({ exitCode, text, params: { file }, code: error.code })
}

/** Awaits work of the encryption and converts its errors. @throws {CliError} */
export async function withSealWords<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw inSealWords(error, file)
  }
}
