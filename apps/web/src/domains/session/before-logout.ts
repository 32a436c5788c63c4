/** Asks whether something may be lost with the session. */
type LogoutGuard = () => Promise<boolean>

const guards = new Set<LogoutGuard>()

/** Registers a question that is asked before each logout. @returns a function that unregisters it */
export function guardLogout(guard: LogoutGuard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Asks all questions. @returns whether the user still wants to log out */
export async function mayLogOut(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}
