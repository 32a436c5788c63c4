import type { IconProps } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Language } from '../../i18n/languages.ts'
import type { PendingAction } from '../../lib/pending-actions.ts'
import type { Searchable } from './match.ts'

export const GROUPS = ['recent', 'go', 'create', 'act', 'mounts', 'texts', 'shares', 'files'] as const
export type Group = (typeof GROUPS)[number]

/** What choosing it does. A page that is opened may be asked for something at once. */
export type Act =
  | { readonly kind: 'go'; readonly to: LinkProps; readonly wish?: PendingAction }
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'wish'; readonly wish: PendingAction }
  | { readonly kind: 'language'; readonly language: Language }
  | { readonly kind: 'theme'; readonly theme: 'auto' | 'light' | 'dark' }
  | { readonly kind: 'keys' | 'logout' }

/** A line of the palette. */
export interface PaletteItem extends Searchable {
  readonly id: string
  readonly group: Group
  readonly Icon: ComponentType<IconProps>
  /** At the end of the line. */
  readonly detail: string
  readonly act: Act
}

/** As it is shown. */
export const titleOf = ({ names }: PaletteItem): string => names[0] ?? ''
