import { createContext, use } from 'react'
import type { Command } from '../models/commands.ts'
import type { Entry } from '../models/entries.ts'
import type { ExplorerAddress } from './use-address.ts'
import type { SelectionState } from './use-selection.ts'

/** What the parts of the screen share about the folder that is open. */
export interface FolderScreen extends SelectionState {
  readonly address: ExplorerAddress
  readonly path: string
  /** The uppermost folder that the session may open. */
  readonly base: string
  /** Whether this folder may be changed. */
  readonly canWrite: boolean
  /** What is shown, in its order. */
  readonly entries: readonly Entry[]
  /** Also what the filter or the view leaves out. */
  readonly all: readonly Entry[]
  readonly open: (entry: Entry) => void
  readonly commandsOf: (entries: readonly Entry[]) => readonly Command[]
  readonly run: (command: Command, entries: readonly Entry[]) => void
  readonly makeFolder: () => void
  readonly upload: (() => void) | null
  readonly refresh: () => void
  /** Opens the menu of what is marked, or of the folder when nothing is. */
  readonly openMenu: (point: MenuPoint, entries: readonly Entry[]) => void
  readonly focusFilter: () => void
}

export interface MenuPoint {
  readonly x: number
  readonly y: number
  /** By the keyboard, which then sees the first entry framed. */
  readonly isByKey?: boolean
}

const Context = createContext<FolderScreen | null>(null)
export const FolderScreenProvider = Context.Provider

export function useFolderScreen(): FolderScreen {
  const screen = use(Context)
  if (!screen) throw new Error('A part of the explorer is outside of it.')
  return screen
}
