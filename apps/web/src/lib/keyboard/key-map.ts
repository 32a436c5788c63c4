/**
 * All shortcuts of the product by context, for listeners and for the keyboard map. Keys use the notation of CodeMirror
 * and ProseMirror, with `Space` for the space bar. If a shortcut has several keys, they are alternatives.
 */
export const keyMap = {
  anywhere: {
    palette: ['Mod-k'],
    map: ['?'],
    leave: ['Escape'],
  },
  palette: {
    choose: ['ArrowUp', 'ArrowDown'],
    ends: ['Home', 'End'],
    run: ['Enter'],
  },
  explorer: {
    search: ['Mod-k'],
    filter: ['/'],
    open: ['Enter'],
    up: ['Backspace'],
    mark: ['Space'],
    markRange: ['Shift-ArrowUp', 'Shift-ArrowDown'],
    markAll: ['Mod-a'],
    unmark: ['Escape'],
    rename: ['F2'],
    delete: ['Delete'],
    undo: ['Mod-z'],
    menu: ['ContextMenu', 'Shift-F10'],
  },
  preview: {
    before: ['ArrowLeft'],
    after: ['ArrowRight'],
    close: ['Escape'],
    save: ['Mod-s'],
  },
  media: {
    play: ['Space', 'k'],
    back: ['j'],
    forward: ['l'],
    louder: ['ArrowUp'],
    quieter: ['ArrowDown'],
    full: ['f'],
  },
  reading: {
    print: ['Mod-p'],
  },
  editor: {
    bold: ['Mod-b'],
    italic: ['Mod-i'],
    strike: ['Mod-Shift-x'],
    code: ['Mod-e'],
    highlight: ['Mod-Shift-h'],
    paragraph: ['Mod-Alt-0'],
    heading: ['Mod-Alt-1', 'Mod-Alt-2', 'Mod-Alt-3', 'Mod-Alt-4', 'Mod-Alt-5', 'Mod-Alt-6'],
    numbers: ['Mod-Shift-7'],
    bullets: ['Mod-Shift-8'],
    tasks: ['Mod-Shift-9'],
    quote: ['Mod-Shift-.'],
    link: ['Mod-k'],
    undo: ['Mod-z'],
    redo: ['Mod-Shift-z', 'Mod-y'],
    find: ['Mod-f'],
    pastePlain: ['Mod-Shift-v'],
    submit: ['Mod-Enter'],
    indent: ['Tab'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [string, ...string[]]>>>>

type KeyMap = typeof keyMap
export type KeyPlace = keyof KeyMap
/** Name of an entry of the map, such as `explorer.rename`. */
export type KeyName = { [Place in KeyPlace]: `${Place}.${keyof KeyMap[Place] & string}` }[KeyPlace]

export interface MappedKey {
  readonly name: KeyName
  readonly keys: readonly string[]
}

export const keyPlaces = Object.keys(keyMap) as readonly KeyPlace[]

/** Returns the shortcuts of a context, in display order. */
export const keysOf = (place: KeyPlace): readonly MappedKey[] =>
  Object.entries<readonly string[]>(keyMap[place]).map(([id, keys]) => ({
    name: `${place}.${id}` as KeyName,
    keys,
  }))
