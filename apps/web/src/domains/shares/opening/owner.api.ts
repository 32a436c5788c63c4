import { openingRoutes, type OpeningKind } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

const ARM = {
  paste: openingRoutes.armText,
  file: openingRoutes.armFile,
  bundle: openingRoutes.armBundle,
} as const satisfies Record<OpeningKind, unknown>

/** Lets a share open again, as if nobody had opened it. */
export async function armAgain(kind: OpeningKind, id: string): Promise<void> {
  await api(ARM[kind], { params: { id } })
}

/** Lets all shares with a view limit ask. @returns the number of changed shares */
export async function askForLimited(kind: OpeningKind): Promise<number> {
  const route = kind === 'paste' ? openingRoutes.askLimitedTexts : openingRoutes.askLimitedFiles
  return (await api(route)).data.changed
}
