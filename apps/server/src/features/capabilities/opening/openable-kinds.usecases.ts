import { bundleErrors, type ErrorSpec, fileErrors, type OpeningKind, pasteErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { findEnd as findEndOfBundle } from '../bundles/bundles.models.ts'
import type { BundleRow } from '../bundles/bundles.table.ts'
import {
  getBundleToOpen,
  isProvenBundle,
  type OpenedBundle,
  readOpenedBundle,
  requireBundlePassword,
  requireBundleProof,
  takeOpenedBundle,
} from '../bundles/reading/opened-bundles.usecases.ts'
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

/** Operations on a kind of share. `Contents` is what an opening returns. */
export interface OpenableKind<Share extends OpenableShare, Contents> {
  readonly kind: OpeningKind
  readonly errors: Readonly<Record<'not_found' | 'password_missing', ErrorSpec>>
  /** Finds a share, even if it has expired or is used up. @throws {AppError} if it does not exist */
  get(ctx: Needs<'db'>, slug: string): Promise<Share>
  findEnd(share: Share, nowMs: number): ErrorSpec | null
  /** @throws {AppError} if the password is wrong, or after too many wrong passwords */
  requirePassword(ctx: GuessNeeds, share: Share, guess: { password: string; network: string }): Promise<void>
  /**
   * Whether a proof opens a sealed bundle. Always true for a bundle that is not sealed. Absent for the other kinds.
   * @param proof derived by the reader's device from the link key, and from the password if there is one
   */
  isProven?(share: Share, proof: string | null | undefined): boolean
  /** @throws {AppError} if the proof is missing or wrong, or after too many wrong proofs */
  requireProof?(
    ctx: GuessNeeds,
    share: Share,
    guess: { proof: string | null | undefined; network: string },
  ): Promise<void>
  /** Reads the contents without counting a view. @returns `undefined` if they are purged */
  read(ctx: Needs<'db'>, share: Share): Promise<Contents | undefined>
  /**
   * Counts a view and reads the contents. @returns `undefined` if the share has expired, is used up or has another link
   * suffix
   */
  takeView(
    trx: Db,
    share: Share,
    instants: { nowMs: number; graceUntilMs: number },
  ): Promise<Contents | undefined>
  /**
   * Deletes the contents of a used-up share that no device is allowed to reopen. If the implementation of a kind does
   * nothing, the sweep deletes the contents.
   */
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
  // Links of the last opening still work for some hours, so the sweep deletes the file later.
  release: async () => undefined,
}

export const bundleKind: OpenableKind<BundleRow, OpenedBundle> = {
  kind: 'bundle',
  errors: bundleErrors,
  get: getBundleToOpen,
  findEnd: findEndOfBundle,
  requirePassword: requireBundlePassword,
  isProven: isProvenBundle,
  requireProof: requireBundleProof,
  read: readOpenedBundle,
  takeView: takeOpenedBundle,
  // Tickets of the last opening still work for some hours, so the sweep deletes the bundle later.
  release: async () => undefined,
}
