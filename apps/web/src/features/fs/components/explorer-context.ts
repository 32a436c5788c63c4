import { createContext, use } from 'react'
import type { Command } from '../models/commands.ts'
import type { Entry } from '../models/entries.ts'
import type { ExplorerAddress } from './use-address.ts'
import type { SelectionState } from './use-selection.ts'

/** State of the open folder that all parts of the explorer share. */
export interface FolderScreen extends SelectionState {
  readonly address: ExplorerAddress
  readonly path: string
  /** The top folder that the session may open. */
  readonly base: string
  /** Whether this folder is writable. */
  readonly canWrite: boolean
  /** The visible entries in order. */
  readonly entries: readonly Entry[]
  /** Includes entries that the filter or the view hides. */
  readonly all: readonly Entry[]
  readonly open: (entry: Entry) => void
  readonly commandsOf: (entries: readonly Entry[]) => readonly Command[]
  readonly run: (command: Command, entries: readonly Entry[]) => void
  readonly makeFolder: () => void
  readonly upload: (() => void) | null
  readonly refresh: () => void
  /** Opens the menu of these entries, or of the folder without any. */
  readonly openMenu: (point: MenuPoint, entries: readonly Entry[]) => void
  readonly focusFilter: () => void
}

export interface MenuPoint {
  readonly x: number
  readonly y: number
  /** Opened by the keyboard: the first item shows its focus. */
  readonly isByKey?: boolean
}

const Context = createContext<FolderScreen | null>(null)
export const FolderScreenProvider = Context.Provider

export function useFolderScreen(): FolderScreen {
  const screen = use(Context)
  if (!screen) throw new Error('A part of the explorer is outside of it.')
  return screen
}
