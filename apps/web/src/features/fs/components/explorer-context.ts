import { createContext, use } from 'react'
import type { Command } from '../models/commands.ts'
import type { Entry } from '../models/entries.ts'
import type { ExplorerAddress } from './use-address.ts'
import type { SelectionState } from './use-selection.ts'

/** State of the open folder, shared by all parts of the explorer. */
export interface FolderScreen extends SelectionState {
  readonly address: ExplorerAddress
  readonly path: string
  /** Accessible name of the list. The default name contains the path. */
  readonly listLabel?: string
  /** The topmost folder that the session may open. */
  readonly base: string
  /** Whether this folder is writable. */
  readonly canWrite: boolean
  /** The visible entries in order. */
  readonly entries: readonly Entry[]
  /** All entries, including entries that the filter or the view hides. */
  readonly all: readonly Entry[]
  readonly open: (entry: Entry) => void
  readonly commandsOf: (entries: readonly Entry[]) => readonly Command[]
  readonly run: (command: Command, entries: readonly Entry[]) => void
  readonly makeFolder: () => void
  readonly upload: (() => void) | null
  readonly refresh: () => void
  /** Opens the context menu of the entries. Without entries, opens the context menu of the folder. */
  readonly openMenu: (point: MenuPoint, entries: readonly Entry[]) => void
  readonly focusFilter: () => void
}

export interface MenuPoint {
  readonly x: number
  readonly y: number
  /** Whether the keyboard opened the menu; the first item then shows its focus. */
  readonly isByKey?: boolean
}

const Context = createContext<FolderScreen | null>(null)
export const FolderScreenProvider = Context.Provider

export function useFolderScreen(): FolderScreen {
  const screen = use(Context)
  if (!screen) throw new Error('A part of the explorer is outside of it.')
  return screen
}
