import {
  DEFAULT_MAX_UPLOAD_MB,
  fileErrors,
  MIB,
  OPENING_GRACE_MINUTES,
  SEALED_POLICIES,
  type SealedPolicy,
  settingsErrors,
  shareErrors,
  WEBDAV_UPLOAD_MODES,
} from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { formatBytes } from '../../../lib/sizes.ts'
import { settingsRepository } from './settings.repository.ts'

export type WebdavUploadMode = (typeof WEBDAV_UPLOAD_MODES)[number]

export interface Settings {
  readonly maxUploadMb: number
  readonly webdavUploadMode: WebdavUploadMode
  /** Whether the administrator sees objects of shares in mounts. */
  readonly showsShareFiles: boolean
  /** How long a device that opened a share can reopen it, in minutes. */
  readonly openingGraceMinutes: number
  /** Whether shares can or must be end-to-end encrypted. */
  readonly sealedPolicy: SealedPolicy
}

type StoredRows = Awaited<ReturnType<ReturnType<typeof settingsRepository>['find']>>

interface SettingRow {
  readonly key: SettingKey
  readonly value: string
  readonly description: string
  readonly updatedAtMs: number
  readonly isStored: boolean
}

const DEFAULTS = {
  max_upload_size: String(DEFAULT_MAX_UPLOAD_MB),
  webdav_upload_mode: 'direct',
  show_share_files: 'false',
  opening_grace_minutes: String(OPENING_GRACE_MINUTES),
  sealed_policy: 'offered',
} as const
type SettingKey = keyof typeof DEFAULTS
/** Keys of all settings. The table also contains other values. */
export const SETTING_KEYS = Object.keys(DEFAULTS) as SettingKey[]
const DESCRIPTIONS: Readonly<Record<SettingKey, string>> = {
  max_upload_size: 'Largest file that may be uploaded, in MB',
  webdav_upload_mode: 'How WebDAV uploads reach the storage: auto, direct or multipart',
  show_share_files: 'Whether the explorer and the network drive show the administrator the files of shares',
  opening_grace_minutes: 'How long a device that opened a share may open it again without a view, in minutes',
  sealed_policy: 'End-to-end encrypted shares: off, offered, default or required',
}

const findStored = (ctx: Needs<'db'>): Promise<StoredRows> => settingsRepository(ctx.db).find(SETTING_KEYS)

function withDefaults(rows: StoredRows): SettingRow[] {
  const stored = new Map(rows.map((row) => [row.key, row]))
  return SETTING_KEYS.map((key) => ({
    key,
    value: stored.get(key)?.value ?? DEFAULTS[key],
    description: DESCRIPTIONS[key],
    updatedAtMs: stored.get(key)?.updated_at_ms ?? 0,
    isStored: stored.has(key),
  }))
}

/** Settings that are listed only after a change, because clients of CloudPaste 0.7.0 do not expect them. */
const LISTED_ONCE_SET: ReadonlySet<SettingKey> = new Set(['opening_grace_minutes', 'sealed_policy'])

/**
 * Returns the settings as rows of text. An unchanged setting has its default and the time 0. Some settings are not
 * listed until they are changed.
 */
export const listSettings = async (ctx: Needs<'db'>): Promise<SettingRow[]> =>
  withDefaults(await findStored(ctx)).filter(({ key, isStored }) => isStored || !LISTED_ONCE_SET.has(key))

function meaningOf(rows: StoredRows): Settings {
  const values = new Map(withDefaults(rows).map((row) => [row.key, row.value]))
  const mode = values.get('webdav_upload_mode')
  return {
    maxUploadMb: Number(values.get('max_upload_size')),
    webdavUploadMode: WEBDAV_UPLOAD_MODES.find((known) => known === mode) ?? 'direct',
    showsShareFiles: values.get('show_share_files') === 'true',
    openingGraceMinutes: Number(values.get('opening_grace_minutes')),
    sealedPolicy: SEALED_POLICIES.find((known) => known === values.get('sealed_policy')) ?? 'required',
  }
}

export const readSettings = async (ctx: Needs<'db'>): Promise<Settings> => meaningOf(await findStored(ctx))

/** Returns the size limit of uploads, which applies to every interface. */
export const maxUploadBytes = async (ctx: Needs<'db'>): Promise<number> =>
  (await readSettings(ctx)).maxUploadMb * MIB

/** Checks an announced size. @throws {AppError} `file.too_large` */
export async function requireUploadSize(ctx: Needs<'db'>, sizeBytes: number): Promise<void> {
  const limit = await maxUploadBytes(ctx)
  if (sizeBytes > limit) throw new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) } })
}

/**
 * Checks that the administrator allows shares that the server can read. Call before such a share is created or its
 * contents change.
 * @throws {AppError} `share.must_be_sealed`
 */
export async function requireOpenShares(ctx: Needs<'db'>): Promise<void> {
  if ((await readSettings(ctx)).sealedPolicy === 'required') throw new AppError(shareErrors.must_be_sealed)
}

/** @throws {AppError} `share.sealing_off` */
export async function requireSealedShares(ctx: Needs<'db'>): Promise<void> {
  if ((await readSettings(ctx)).sealedPolicy === 'off') throw new AppError(shareErrors.sealing_off)
}

/** @throws {AppError} `settings.nothing_to_change` */
export async function updateSettings(
  ctx: Needs<'clock' | 'database'>,
  change: {
    max_upload_size?: number | undefined
    webdav_upload_mode?: WebdavUploadMode | undefined
    show_share_files?: boolean | undefined
    opening_grace_minutes?: number | undefined
    sealed_policy?: SealedPolicy | undefined
  },
): Promise<void> {
  const given = SETTING_KEYS.flatMap((key) =>
    change[key] === undefined ? [] : [{ key, value: String(change[key]) }],
  )
  if (given.length === 0) throw new AppError(settingsErrors.nothing_to_change)
  await ctx.database.transaction(async (trx) => {
    for (const row of given)
      await settingsRepository(trx).upsert({ ...row, updated_at_ms: ctx.clock.nowMs() })
  })
}
