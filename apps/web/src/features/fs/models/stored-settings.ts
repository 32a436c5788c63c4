import { readStoredJson } from '../../../lib/browser/storage.ts'
import type { SortOrder } from './entries.ts'
import { SORTS } from './entries.ts'

export const VIEWS = ['list', 'grid', 'gallery'] as const
export type View = (typeof VIEWS)[number]

export interface GallerySettings {
  /** 0 means that the number depends on the width. */
  readonly columns: number
  readonly gapPx: number
}

/** View settings of folders, stored on this device. */
export interface ExplorerSettings extends SortOrder {
  readonly view: View
  readonly gallery: GallerySettings
  /** Whether the next audio or video file in the folder plays after the current one. */
  readonly playsOn: boolean
}

export const COLUMN_CHOICES = [0, 2, 3, 4, 5, 6] as const
export const GAP_MAX_PX = 48
export const DEFAULT_GALLERY: GallerySettings = { columns: 0, gapPx: 16 }
const DEFAULTS: ExplorerSettings = {
  view: 'list',
  sort: 'name',
  order: 'asc',
  gallery: DEFAULT_GALLERY,
  playsOn: true,
}

export const SETTINGS_KEY = 'explorer'

const oneOf = <T>(choices: readonly T[], value: unknown, fallback: T): T =>
  choices.includes(value as T) ? (value as T) : fallback

/** Validates stored settings. Defaults replace invalid values. */
export function parseSettings(stored: unknown): ExplorerSettings {
  const value = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const gallery = (value['gallery'] ?? {}) as Record<string, unknown>
  const gapPx = Number(gallery['gapPx'] ?? Number.NaN)
  return {
    view: oneOf(VIEWS, value['view'], DEFAULTS.view),
    sort: oneOf(SORTS, value['sort'], DEFAULTS.sort),
    order: oneOf(['asc', 'desc'] as const, value['order'], DEFAULTS.order),
    playsOn: oneOf<boolean>([true, false], value['playsOn'], DEFAULTS.playsOn),
    gallery: {
      columns: oneOf<number>(COLUMN_CHOICES, gallery['columns'], DEFAULT_GALLERY.columns),
      gapPx: gapPx >= 0 && gapPx <= GAP_MAX_PX ? gapPx : DEFAULT_GALLERY.gapPx,
    },
  }
}

export const readSettings = (): ExplorerSettings => parseSettings(readStoredJson(SETTINGS_KEY))
