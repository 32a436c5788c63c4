/** Asks the user before a logout that would lose data. Resolves to whether the logout may proceed. */
type LogoutGuard = () => Promise<boolean>

const guards = new Set<LogoutGuard>()

/** Registers a guard that is called before each logout. @returns a function that unregisters it */
export function guardLogout(guard: LogoutGuard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Calls the guards in order until one refuses. @returns whether the logout may proceed */
export async function mayLogOut(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}
