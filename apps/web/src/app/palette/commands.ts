import {
  IconCloudUpload,
  IconFolderOpen,
  IconFolderPlus,
  IconHome,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconListCheck,
  IconLogin,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconSun,
  IconSunMoon,
  IconUpload,
} from '@tabler/icons-react'
import { can, type Session } from '../../domains/session/stored-session.ts'
import type { PendingAction } from '../../lib/pending-actions.ts'
import { palette as english } from '../../locales/en-US/palette.ts'
import { type Language, LANGUAGES } from '../../locales/languages.ts'
import { palette as chinese } from '../../locales/zh-CN/palette.ts'
import { adminModules, moduleLink } from '../admin-modules.ts'
import type { Act, Group, PaletteItem } from './items.ts'

type Words = typeof chinese
type CommandId = keyof Words['commands']

/** Texts of all languages, because a query can match a command in any language. A missing language is a type error. */
const BY_LANGUAGE: Readonly<Record<Language, Words>> = { 'zh-CN': chinese, 'en-US': english }
const EVERY_LANGUAGE = Object.values(BY_LANGUAGE)

export interface Circumstances {
  readonly session: Session
  readonly language: Language
  readonly theme: 'auto' | 'light' | 'dark'
  /** Whether the current page offers an action. */
  readonly isActionAvailable: (action: PendingAction) => boolean
  /** Whether there are pending changes. */
  readonly hasWaiting: boolean
  /** Texts in the current language; `adminWord` is the name of the admin panel. */
  readonly words: Words
  readonly adminWord: string
}

interface Spec {
  readonly id: CommandId
  readonly group: Group
  readonly Icon: PaletteItem['Icon']
  readonly act: Act
  readonly detail?: string
  /** Value for `{{name}}` in the text of the command. */
  readonly name?: string
  /** Distinguishes commands that have the same name. */
  readonly suffix?: string
}

/** Visitors get commands for all pages, because the header links to all of them. */
const isVisitor = ({ kind }: Session): boolean => kind === 'none'

const placesOf = ({ session, hasWaiting, adminWord }: Circumstances): readonly (Spec | false)[] => [
  { id: 'home', group: 'go', Icon: IconHome, act: { kind: 'go', to: { to: '/' } } },
  (isVisitor(session) || can(session, 'file')) && {
    id: 'upload',
    group: 'go',
    Icon: IconCloudUpload,
    act: { kind: 'go', to: { to: '/upload' } },
  },
  (isVisitor(session) || can(session, 'mount')) && {
    id: 'explorer',
    group: 'go',
    Icon: IconFolderOpen,
    act: { kind: 'go', to: { to: '/mount-explorer/$', params: { _splat: '' } } },
  },
  isVisitor(session) && {
    id: 'login',
    group: 'go',
    Icon: IconLogin,
    act: { kind: 'go', to: { to: '/admin' } },
  },
  hasWaiting && {
    id: 'waiting',
    group: 'go',
    Icon: IconRefresh,
    act: { kind: 'go', to: { to: '/offline' } },
  },
  ...adminModules
    .filter((module) => module.allows(session))
    .map(({ id, Icon }): Spec => {
      return { id, group: 'go', Icon, detail: adminWord, act: { kind: 'go', to: moduleLink(id) } }
    }),
  session.kind === 'admin' && {
    id: 'guide',
    group: 'go',
    Icon: IconListCheck,
    detail: adminWord,
    act: { kind: 'go', to: { to: '/admin/welcome' } },
  },
]

/** Returns the effect that opens a page of the admin panel with the form for a new entry. */
const newIn = (
  module: 'key-management' | 'mount-management' | 'storage-config',
  action: PendingAction,
): Act => ({
  kind: 'go',
  to: moduleLink(module),
  action,
})

const creationsOf = ({ session, isActionAvailable }: Circumstances): readonly (Spec | false)[] => {
  const isAdmin = session.kind === 'admin'
  return [
    can(session, 'text') && {
      id: 'newText',
      group: 'create',
      Icon: IconPencil,
      act: { kind: 'go', to: { to: '/' }, action: 'write' },
    },
    can(session, 'file') && {
      id: 'uploadFiles',
      group: 'create',
      Icon: IconUpload,
      act: { kind: 'go', to: { to: '/upload' } },
    },
    isActionAvailable('new-folder') && {
      id: 'newFolder',
      group: 'create',
      Icon: IconFolderPlus,
      act: { kind: 'action', action: 'new-folder' },
    },
    isActionAvailable('upload-here') && {
      id: 'uploadHere',
      group: 'create',
      Icon: IconUpload,
      act: { kind: 'action', action: 'upload-here' },
    },
    isAdmin && {
      id: 'newKey',
      group: 'create',
      Icon: IconKey,
      act: newIn('key-management', 'new-key'),
    },
    isAdmin && {
      id: 'newMount',
      group: 'create',
      Icon: IconPlus,
      act: newIn('mount-management', 'new-mount'),
    },
    isAdmin && {
      id: 'newStorage',
      group: 'create',
      Icon: IconPlus,
      act: newIn('storage-config', 'new-storage'),
    },
  ]
}

const THEMES = [
  ['themeLight', 'light', IconSun],
  ['themeDark', 'dark', IconMoon],
  ['themeAuto', 'auto', IconSunMoon],
] as const

const actionsOf = ({ session, language, theme }: Circumstances): readonly (Spec | false)[] => [
  ...LANGUAGES.filter(({ code }) => code !== language).map(({ code: other, name }): Spec => ({
    id: 'language',
    suffix: other,
    name,
    group: 'act',
    Icon: IconLanguage,
    act: { kind: 'language', language: other },
  })),
  ...THEMES.filter(([, other]) => other !== theme).map(([id, other, Icon]): Spec => ({
    id,
    group: 'act',
    Icon,
    act: { kind: 'theme', theme: other },
  })),
  { id: 'keys', group: 'act', Icon: IconKeyboard, act: { kind: 'keys' } },
  session.kind !== 'none' && { id: 'logout', group: 'act', Icon: IconLogout, act: { kind: 'logout' } },
]

const isSpec = (spec: Spec | false): spec is Spec => spec !== false

/** All available commands, in the order of the palette. */
export function commandsFor(circumstances: Circumstances): readonly PaletteItem[] {
  const { words } = circumstances
  const specs = [...placesOf(circumstances), ...creationsOf(circumstances), ...actionsOf(circumstances)]
  return specs.filter(isSpec).map(({ id, group, Icon, act, detail = '', name = '', suffix }) => {
    const fill = (text: string) => text.replace('{{name}}', name)
    return {
      id: suffix === undefined ? id : `${id}:${suffix}`,
      group,
      Icon,
      act,
      detail,
      names: [words, ...EVERY_LANGUAGE].map(({ commands }) => fill(commands[id].name)),
      also: [detail, ...EVERY_LANGUAGE.map(({ commands }) => commands[id].also)].join(' '),
    }
  })
}
