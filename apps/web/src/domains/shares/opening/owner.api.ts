import { openingRoutes, type OpeningKind } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** Lets a share open again, as if nobody had opened it. */
export async function armAgain(kind: OpeningKind, id: string): Promise<void> {
  await api(kind === 'paste' ? openingRoutes.armText : openingRoutes.armFile, { params: { id } })
}

/** Lets all shares with a view limit ask. @returns the number of changed shares */
export async function askForLimited(kind: OpeningKind): Promise<number> {
  const route = kind === 'paste' ? openingRoutes.askLimitedTexts : openingRoutes.askLimitedFiles
  return (await api(route)).data.changed
}
