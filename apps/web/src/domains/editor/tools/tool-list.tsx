import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconBlockquote,
  IconBold,
  IconCode,
  IconEraser,
  IconFileImport,
  IconHeading,
  IconHighlight,
  IconHistory,
  IconIndentDecrease,
  IconIndentIncrease,
  IconItalic,
  IconKeyboard,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  IconListTree,
  IconListDetails,
  IconMoodSmile,
  IconPhoto,
  IconSearch,
  IconSeparatorHorizontal,
  IconSourceCode,
  IconStrikethrough,
  IconSuperscript,
  IconTable,
  IconTextWrap,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { useT } from '../../../i18n/use-translation.ts'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../lib/keyboard/keys.ts'
import type { EditorTarget, PlainAction, TargetState } from '../editor-target.ts'
import { shortcutOf } from './shortcuts.ts'
import type { Tool, ToolEntry } from './toolbar.tsx'

export type ToolDialog = 'emoji' | 'table' | 'link' | 'image' | 'help' | 'drafts'

export interface ToolActions {
  readonly target: EditorTarget
  readonly state: TargetState
  readonly open: (dialog: ToolDialog) => void
  readonly find: () => void
  readonly toggleOutline: () => void
  readonly isOutlineOpen: boolean
  readonly toggleFull: () => void
  readonly isFull: boolean
  readonly importFile: () => void
  readonly clear: () => void
}

type T = ReturnType<typeof useT>['t']
type IconOf = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>

const draw = (Icon: IconOf) => <Icon size={20} aria-hidden />

const MARKS: readonly (readonly [PlainAction, IconOf])[] = [
  ['bold', IconBold],
  ['italic', IconItalic],
  ['strike', IconStrikethrough],
  ['highlight', IconHighlight],
  ['code', IconCode],
]
const LISTS: readonly (readonly [PlainAction, IconOf])[] = [
  ['bullets', IconList],
  ['numbers', IconListNumbers],
  ['tasks', IconListCheck],
  ['indent', IconIndentIncrease],
  ['outdent', IconIndentDecrease],
  ['quote', IconBlockquote],
]

/** The most common languages. In the Markdown source, the user can type any other language after the fence. */
const CODE_LANGUAGES = 'js ts json html css py java c cpp cs go rust php rb sh sql yaml diff mermaid'.split(
  ' ',
)
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
  html: 'HTML',
  css: 'CSS',
  py: 'Python',
  java: 'Java',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  go: 'Go',
  rust: 'Rust',
  php: 'PHP',
  rb: 'Ruby',
  sh: 'Shell',
  sql: 'SQL',
  yaml: 'YAML',
  diff: 'Diff',
  mermaid: 'Mermaid',
}

function headingEntries(t: T, { target, state }: ToolActions): ToolEntry[] {
  return [0, 1, 2, 3, 4, 5, 6].map((level) => ({
    id: `h${level}`,
    label: level === 0 ? t('editor.paragraph') : t('editor.headingLevel', { level }),
    shortcut: shortcutOf({ type: 'heading', level }),
    isActive: state.headingLevel === level,
    run: () => target.run({ type: 'heading', level }),
  }))
}

const codeEntries = (t: T, { target }: ToolActions): ToolEntry[] =>
  ['', ...CODE_LANGUAGES].map((language) => ({
    id: `code-${language}`,
    label: language === '' ? t('editor.codePlain') : (LANGUAGE_NAMES[language] ?? language),
    run: () => target.run({ type: 'code-block', language }),
  }))

const TABLE_ACTIONS = [
  'row-before',
  'row-after',
  'row-remove',
  'column-before',
  'column-after',
  'column-remove',
] as const

function tableTool(t: T, { target, state, open }: ToolActions): Tool {
  const common = { id: 'table', label: t('editor.table.title'), icon: draw(IconTable) }
  if (!state.isInTable) return { ...common, run: () => open('table') }
  return {
    ...common,
    isActive: true,
    entries: TABLE_ACTIONS.map((type) => ({
      id: type,
      label: t(`editor.table.${type}`),
      run: () => target.run({ type }),
    })),
  }
}

const plainTool = (
  t: T,
  { target, state }: ToolActions,
  [type, icon]: readonly [PlainAction, IconOf],
): Tool => ({
  id: type,
  label: t(`editor.${type as 'bold'}`),
  icon: draw(icon),
  shortcut: shortcutOf({ type }),
  ...(type !== 'indent' && type !== 'outdent' && { isActive: state.active.has(type) }),
  run: () => target.run({ type }),
})

const historyTools = (t: T, { target, state }: ToolActions): Tool[] => [
  {
    id: 'undo',
    label: t('editor.undo'),
    icon: draw(IconArrowBackUp),
    shortcut: readableKey(keyMap.editor.undo[0]),
    isFirst: true,
    isOff: !state.canUndo,
    run: () => target.run({ type: 'undo' }),
  },
  {
    id: 'redo',
    label: t('editor.redo'),
    icon: draw(IconArrowForwardUp),
    shortcut: readableKey(keyMap.editor.redo[0]),
    isOff: !state.canRedo,
    run: () => target.run({ type: 'redo' }),
  },
]

/** Tools for every text. */
function commonTools(t: T, actions: ToolActions): Tool[] {
  return [
    {
      id: 'find',
      label: t('editor.find.label'),
      icon: draw(IconSearch),
      shortcut: readableKey(keyMap.editor.find[0]),
      isFirst: true,
      run: actions.find,
    },
    {
      id: 'full',
      label: t(actions.isFull ? 'editor.leaveFull' : 'editor.full'),
      icon: draw(actions.isFull ? IconArrowsMinimize : IconArrowsMaximize),
      isActive: actions.isFull,
      run: actions.toggleFull,
    },
    {
      id: 'import',
      label: t('editor.import.label'),
      icon: draw(IconFileImport),
      isFirst: true,
      run: actions.importFile,
    },
    { id: 'clear', label: t('editor.clear'), icon: draw(IconEraser), run: actions.clear },
    {
      id: 'drafts',
      label: t('editor.drafts.title'),
      icon: draw(IconHistory),
      run: () => actions.open('drafts'),
    },
    { id: 'help', label: t('editor.help.title'), icon: draw(IconKeyboard), run: () => actions.open('help') },
  ]
}

/** Tools for Markdown texts, most used first. If space is short, the last tools move to a menu. */
export function markdownTools(t: T, actions: ToolActions): Tool[] {
  const { state, open } = actions
  const common = commonTools(t, actions)
  const outline: Tool = {
    id: 'outline',
    label: t('editor.outline'),
    icon: draw(IconListTree),
    isActive: actions.isOutlineOpen,
    run: actions.toggleOutline,
  }
  return [
    ...historyTools(t, actions),
    {
      id: 'heading',
      label: t('editor.heading'),
      icon: draw(IconHeading),
      isFirst: true,
      isActive: state.headingLevel > 0,
      entries: headingEntries(t, actions),
    },
    ...MARKS.map((mark) => plainTool(t, actions, mark)),
    ...LISTS.map((list, index) => ({ ...plainTool(t, actions, list), isFirst: index === 0 })),
    {
      id: 'link',
      label: t('editor.link.title'),
      icon: draw(IconLink),
      shortcut: readableKey(keyMap.editor.link[0]),
      isFirst: true,
      run: () => open('link'),
    },
    { id: 'image', label: t('editor.image.title'), icon: draw(IconPhoto), run: () => open('image') },
    tableTool(t, actions),
    {
      id: 'code-block',
      label: t('editor.codeBlock'),
      icon: draw(IconSourceCode),
      entries: codeEntries(t, actions),
    },
    plainTool(t, actions, ['rule', IconSeparatorHorizontal]),
    plainTool(t, actions, ['footnote', IconSuperscript]),
    { id: 'emoji', label: t('editor.emoji.title'), icon: draw(IconMoodSmile), run: () => open('emoji') },
    ...common.slice(0, 1),
    outline,
    ...common.slice(1),
  ]
}

interface CodeLookActions {
  readonly hasNumbers: boolean
  readonly toggleNumbers: () => void
  readonly isWrapped: boolean
  readonly toggleWrap: () => void
}

/** Tools for texts that are not Markdown. */
export const plainTools = (t: T, actions: ToolActions, look: CodeLookActions): Tool[] => [
  ...historyTools(t, actions),
  {
    id: 'numbers-of-lines',
    label: t('editor.lineNumbers'),
    icon: draw(IconListDetails),
    isFirst: true,
    isActive: look.hasNumbers,
    run: look.toggleNumbers,
  },
  {
    id: 'wrap',
    label: t('editor.wrap'),
    icon: draw(IconTextWrap),
    isActive: look.isWrapped,
    run: look.toggleWrap,
  },
  ...commonTools(t, actions),
]
