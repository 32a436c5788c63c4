import type { IconProps } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Language } from '../../i18n/languages.ts'
import type { PendingAction } from '../../lib/pending-actions.ts'
import type { Searchable } from './match.ts'

export const GROUPS = ['recent', 'go', 'create', 'act', 'mounts', 'texts', 'shares', 'files'] as const
export type Group = (typeof GROUPS)[number]

/** Effect of choosing an item. A page can receive an action to run when it opens. */
export type Act =
  | { readonly kind: 'go'; readonly to: LinkProps; readonly action?: PendingAction }
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'action'; readonly action: PendingAction }
  | { readonly kind: 'language'; readonly language: Language }
  | { readonly kind: 'theme'; readonly theme: 'auto' | 'light' | 'dark' }
  | { readonly kind: 'keys' | 'logout' }

export interface PaletteItem extends Searchable {
  readonly id: string
  readonly group: Group
  readonly Icon: ComponentType<IconProps>
  /** Text at the end of the row. */
  readonly detail: string
  readonly act: Act
}

export const titleOf = ({ names }: PaletteItem): string => names[0] ?? ''
