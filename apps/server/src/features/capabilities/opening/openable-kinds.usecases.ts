import { type ErrorSpec, fileErrors, type OpeningKind, pasteErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { findEnd as findEndOfFile } from '../files/files.models.ts'
import type { FileRow } from '../files/files.table.ts'
import {
  getFileToOpen,
  readOpenedFile,
  requireFilePassword,
  takeOpenedFile,
} from '../files/opened-files.usecases.ts'
import {
  getPasteToOpen,
  type OpenedPaste,
  purgeOpenedPaste,
  readOpenedPaste,
  takeOpenedPaste,
} from '../pastes/opened-pastes.usecases.ts'
import { findEnd as findEndOfPaste } from '../pastes/pastes.models.ts'
import type { VisitedPaste } from '../pastes/pastes.table.ts'
import { requirePassword as requirePastePassword } from '../pastes/reading-pastes.usecases.ts'
import type { OpenableShare } from './opening.models.ts'

type GuessNeeds = Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>

/** A kind of share, as the rules of opening use it. `Contents` is what an opening returns. */
export interface OpenableKind<Share extends OpenableShare, Contents> {
  readonly kind: OpeningKind
  readonly errors: Readonly<Record<'not_found' | 'password_missing', ErrorSpec>>
  /** @throws {AppError} if there is no such share; it may have ended */
  get(ctx: Needs<'db'>, slug: string): Promise<Share>
  /** The error of an expired or used-up share, or `null`. */
  findEnd(share: Share, nowMs: number): ErrorSpec | null
  /** @throws {AppError} for a wrong password, or too many of them */
  requirePassword(ctx: GuessNeeds, share: Share, guess: { password: string; network: string }): Promise<void>
  /** The contents without a view; `undefined` once they are purged. */
  read(ctx: Needs<'db'>, share: Share): Promise<Contents | undefined>
  /** Counts a view and reads the contents; `undefined` if the share has ended. */
  takeView(
    trx: Db,
    share: Share,
    instants: { nowMs: number; graceUntilMs: number },
  ): Promise<Contents | undefined>
  /** Deletes the contents of a used-up share to which no device may come back; others wait for the sweep. */
  release(ctx: Needs<'clock' | 'db'>, share: Share): Promise<void>
}

export const textKind: OpenableKind<OpenedPaste, VisitedPaste> = {
  kind: 'paste',
  errors: pasteErrors,
  get: getPasteToOpen,
  findEnd: findEndOfPaste,
  requirePassword: requirePastePassword,
  read: readOpenedPaste,
  takeView: takeOpenedPaste,
  async release(ctx, share) {
    await purgeOpenedPaste(ctx, share)
  },
}

export const fileKind: OpenableKind<FileRow, FileRow> = {
  kind: 'file',
  errors: fileErrors,
  get: getFileToOpen,
  findEnd: findEndOfFile,
  requirePassword: requireFilePassword,
  read: readOpenedFile,
  takeView: takeOpenedFile,
  // The links of the last opening work for some hours.
  release: async () => undefined,
}
