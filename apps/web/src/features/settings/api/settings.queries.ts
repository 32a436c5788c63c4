import {
  OPENING_GRACE_MINUTES,
  operationRoutes,
  SEALED_POLICIES,
  type SealedPolicy,
  WEBDAV_UPLOAD_MODES,
} from '@dropleaf/contract'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export type WebdavUploadMode = (typeof WEBDAV_UPLOAD_MODES)[number]

export interface Settings {
  readonly maxUploadMb: number
  readonly webdavUploadMode: WebdavUploadMode
  readonly showsShareFiles: boolean
  readonly openingGraceMinutes: number
  readonly sealedPolicy: SealedPolicy
}

export const settingsQueries = {
  all: () =>
    queryOptions({
      queryKey: ['settings'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<Settings> => {
        const { data } = await api(operationRoutes.readSettings, { signal })
        const value = (key: string) => data.find((row) => row.key === key)?.value
        return {
          maxUploadMb: Number(value('max_upload_size')),
          webdavUploadMode:
            WEBDAV_UPLOAD_MODES.find((mode) => mode === value('webdav_upload_mode')) ?? 'direct',
          showsShareFiles: value('show_share_files') === 'true',
          sealedPolicy: SEALED_POLICIES.find((policy) => policy === value('sealed_policy')) ?? 'offered',
          openingGraceMinutes: Number(value('opening_grace_minutes') ?? OPENING_GRACE_MINUTES),
        }
      },
    }),
}

export async function saveSettings(queryClient: QueryClient, settings: Settings): Promise<void> {
  await api(operationRoutes.updateSettings, {
    body: {
      max_upload_size: settings.maxUploadMb,
      webdav_upload_mode: settings.webdavUploadMode,
      show_share_files: settings.showsShareFiles,
      opening_grace_minutes: settings.openingGraceMinutes,
      sealed_policy: settings.sealedPolicy,
    },
  })
  // Other screens query the upload limit separately, so all queries are invalidated.
  await queryClient.invalidateQueries()
}
