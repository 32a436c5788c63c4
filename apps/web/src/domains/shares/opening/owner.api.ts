import { openingRoutes, type OpeningKind } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

const ARM = {
  paste: openingRoutes.armText,
  file: openingRoutes.armFile,
  bundle: openingRoutes.armBundle,
} as const satisfies Record<OpeningKind, unknown>

/** Resets a share to the state before its first opening. */
export async function armAgain(kind: OpeningKind, id: string): Promise<void> {
  await api(ARM[kind], { params: { id } })
}

/** Makes all text or file shares with a view limit require confirmation. @returns the number of changed shares */
export async function askForLimited(kind: OpeningKind): Promise<number> {
  const route = kind === 'paste' ? openingRoutes.askLimitedTexts : openingRoutes.askLimitedFiles
  return (await api(route)).data.changed
}
