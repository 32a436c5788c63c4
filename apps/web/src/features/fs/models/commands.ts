import type { Entry } from './entries.ts'

/** Commands for selected entries, in the groups and the order of the menu. */
const GROUPS = [
  ['share', 'sealedCopy'],
  ['open', 'download', 'link', 'basket'],
  ['rename', 'move', 'copy'],
  ['properties'],
  ['delete'],
] as const
export type Command = (typeof GROUPS)[number][number]

interface Circumstances {
  /** Whether the folder of the entries is writable. */
  readonly canWrite: boolean
  /** Whether the session may write anywhere. */
  readonly canCopy: boolean
  readonly canShare: boolean
  readonly canSealCopy: boolean
  readonly hasBasket: boolean
}

export function commandsFor(entries: readonly Entry[], can: Circumstances): Command[] {
  const [only] = entries
  if (!only) return []
  const isOne = entries.length === 1
  const isFile = isOne && !only.isFolder
  const isReal = entries.every(({ isVirtual }) => !isVirtual)
  const allowed: Record<Command, boolean> = {
    open: isOne,
    download: true,
    link: isFile,
    share: isReal && can.canShare,
    sealedCopy: isReal && can.canSealCopy,
    basket: isReal && can.hasBasket,
    rename: isOne && isReal && can.canWrite,
    move: isReal && can.canWrite,
    copy: isReal && can.canCopy,
    properties: isOne,
    delete: isReal && can.canWrite,
  }
  return GROUPS.flat().filter((command) => allowed[command])
}

/** Returns the groups of the menu with these commands. Leaves out empty groups. */
export const groupsOf = (commands: readonly Command[]): readonly Command[][] =>
  GROUPS.map((group) => group.filter((command) => commands.includes(command))).filter(
    (group) => group.length > 0,
  )
