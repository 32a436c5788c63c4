import type { InputOf, operationRoutes } from '@dropleaf/contract'
import type { useT } from '../../i18n/use-translation.ts'

const WORDS = {
  max_upload_size: 'settings.uploads.maxSize',
  webdav_upload_mode: 'settings.uploads.webdavMode',
  show_share_files: 'settings.uploads.showShareFiles',
  sealed_policy: 'settings.uploads.sealedPolicy',
  opening_grace_minutes: 'settings.uploads.openingGrace',
} as const satisfies Record<keyof InputOf<typeof operationRoutes.updateSettings, 'body'>, string>

const hasWords = (name: string): name is keyof typeof WORDS => Object.hasOwn(WORDS, name)

/** Replaces the keys of settings in the log with their labels. A setting without a label keeps its key. */
export const namesOfSettings = (target: string, t: ReturnType<typeof useT>['t']): string =>
  target
    .split(', ')
    .map((name) => (hasWords(name) ? t(WORDS[name]) : name))
    .join(', ')
