import { type ReplyOf, systemRoutes } from '@dropleaf/contract'

const TIMEOUT_MS = 8000

/** Checks whether a Dropleaf server responds at an origin. */
export async function isOurServer(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(origin + systemRoutes.version.path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const reply = (await answer.json()) as Partial<ReplyOf<typeof systemRoutes.version>> | null
    return answer.ok && typeof reply?.data?.version === 'string'
  } catch {
    return false
  }
}
