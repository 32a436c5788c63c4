/**
 * Colour roles of `ui/theme/tokens.css` that diagrams use. The values are fixed, because a diagram is an image, and
 * its colour scheme can differ from the scheme of the page.
 */
export interface DiagramColours {
  readonly bg: string
  readonly surface: string
  readonly sunken: string
  readonly line: string
  readonly 'line-strong': string
  readonly text: string
  readonly muted: string
  readonly accent: string
  readonly 'accent-soft': string
  readonly danger: string
  readonly 'danger-soft': string
  readonly warn: string
  readonly 'warn-soft': string
  readonly mark: string
}

export const LIGHT: DiagramColours = {
  bg: '#fbfbfa',
  surface: '#ffffff',
  sunken: '#f2f4f1',
  line: '#e0e4df',
  'line-strong': '#868f88',
  text: '#1b1f1c',
  muted: '#58615b',
  accent: '#256e35',
  'accent-soft': '#e7f3e9',
  danger: '#b3261e',
  'danger-soft': '#fcefee',
  warn: '#855600',
  'warn-soft': '#fdf4e0',
  mark: '#fbecae',
}

export const DARK: DiagramColours = {
  bg: '#141715',
  surface: '#1b1f1c',
  sunken: '#212622',
  line: '#313832',
  'line-strong': '#737d76',
  text: '#e5e9e5',
  muted: '#a3ada6',
  accent: '#79c98a',
  'accent-soft': '#1e3325',
  danger: '#ff9a91',
  'danger-soft': '#3a201e',
  warn: '#e8b95a',
  'warn-soft': '#352a14',
  mark: '#5a4a12',
}

/** Hues for parts that differ only in colour, such as pie slices. Text on them has the page's background colour. */
export const LIGHT_HUES =
  '#2f8440 #2f6fb0 #8f6100 #b3473d #7a58b8 #1b7771 #a34a80 #5f721a #4a66a8 #8a5a1c #27795a #6f6a5c'.split(' ')
export const DARK_HUES =
  '#79c98a #6fb1e8 #e8b95a #e58f86 #b79ae8 #63c7c0 #d9a3c7 #a8b36a #8fa8d8 #d8a06a #8ccfae #c6c0b0'.split(' ')

type Variables = Readonly<Record<string, unknown>>

/** Creates numbered variables such as `cScale0`, `cScale1`. */
const numbered = (name: string, values: readonly string[], from = 0): Variables =>
  Object.fromEntries(values.map((value, index) => [`${name}${index + from}`, value]))

const repeated = (value: string, count: number): readonly string[] =>
  Array.from({ length: count }, () => value)

const plain = (c: DiagramColours): Variables => ({
  background: c.bg,
  textColor: c.text,
  titleColor: c.text,
  lineColor: c.muted,
  arrowheadColor: c.muted,
  primaryColor: c['accent-soft'],
  primaryTextColor: c.text,
  primaryBorderColor: c.accent,
  secondaryColor: c.sunken,
  secondaryTextColor: c.text,
  secondaryBorderColor: c['line-strong'],
  tertiaryColor: c.sunken,
  tertiaryTextColor: c.text,
  tertiaryBorderColor: c['line-strong'],
  edgeLabelBackground: c.bg,
  labelBackgroundColor: c.bg,
  noteBkgColor: c['warn-soft'],
  noteTextColor: c.text,
  noteBorderColor: c.warn,
  useGradient: false,
  dropShadow: 'none',
})

const sequences = (c: DiagramColours): Variables => ({
  actorLineColor: c['line-strong'],
  activationBkgColor: c.sunken,
  activationBorderColor: c['line-strong'],
  labelBoxBkgColor: c.sunken,
  labelBoxBorderColor: c['line-strong'],
  sequenceNumberColor: c.bg,
})

const tables = (c: DiagramColours): Variables => ({
  rowOdd: c.surface,
  rowEven: c.sunken,
  attributeBackgroundColorOdd: c.surface,
  attributeBackgroundColorEven: c.sunken,
  compositeBackground: c.bg,
  compositeTitleBackground: c.sunken,
  relationLabelBackground: c.bg,
})

const plans = (c: DiagramColours): Variables => ({
  sectionBkgColor: c.sunken,
  sectionBkgColor2: c.sunken,
  altSectionBkgColor: c.bg,
  excludeBkgColor: c.line,
  gridColor: c.line,
  taskBkgColor: c.surface,
  taskBorderColor: c['line-strong'],
  taskTextClickableColor: c.accent,
  activeTaskBkgColor: c['accent-soft'],
  activeTaskBorderColor: c.accent,
  doneTaskBkgColor: c.line,
  doneTaskBorderColor: c['line-strong'],
  critBkgColor: c['danger-soft'],
  critBorderColor: c.danger,
  todayLineColor: c.danger,
  vertLineColor: c.accent,
})

const charts = (c: DiagramColours, hues: readonly string[]): Variables => ({
  ...numbered('pie', hues, 1),
  pieOpacity: '1',
  pieSectionTextColor: c.bg,
  pieStrokeColor: c.bg,
  pieOuterStrokeColor: c['line-strong'],
  ...numbered('venn', hues.slice(0, 8), 1),
  xyChart: { backgroundColor: c.bg, plotColorPalette: hues.join(',') },
  radar: { graticuleColor: c['line-strong'] },
  quadrant1Fill: c['accent-soft'],
  quadrant2Fill: c.surface,
  quadrant3Fill: c.sunken,
  quadrant4Fill: c.surface,
  quadrantPointFill: c.accent,
  quadrantInternalBorderStrokeFill: c['line-strong'],
  quadrantExternalBorderStrokeFill: c['line-strong'],
})

const trees = (c: DiagramColours, hues: readonly string[]): Variables => ({
  ...numbered('cScale', hues),
  ...numbered('cScalePeer', hues),
  ...numbered('cScaleInv', repeated(c['line-strong'], hues.length)),
  ...numbered('cScaleLabel', repeated(c.bg, hues.length)),
  ...numbered('git', hues.slice(0, 8)),
  ...numbered('gitInv', repeated(c.bg, 8)),
  ...numbered('gitBranchLabel', repeated(c.bg, 8)),
  commitLabelColor: c.text,
  commitLabelBackground: c.sunken,
  ...numbered('fillType', [
    c['accent-soft'],
    c['warn-soft'],
    c.sunken,
    c['danger-soft'],
    c.mark,
    c.line,
    c['accent-soft'],
    c['warn-soft'],
  ]),
  ...numbered('surface', [c.sunken, c.line, c.sunken, c.line, c.sunken]),
  ...numbered('surfacePeer', repeated(c['line-strong'], 5)),
})

const maps = (c: DiagramColours): Variables => ({
  archEdgeColor: c.muted,
  archEdgeArrowColor: c.muted,
  archGroupBorderColor: c['line-strong'],
  wardleyEvolutionColor: c.danger,
  cynefin: {
    cliffColor: c.danger,
    complexBg: c['accent-soft'],
    complicatedBg: c.sunken,
    chaoticBg: c['danger-soft'],
    clearBg: c['warn-soft'],
    confusionBg: c.line,
  },
  emUiFill: c.surface,
  emUiStroke: c['line-strong'],
  emProcessorFill: c.sunken,
  emProcessorStroke: c['line-strong'],
  emReadModelFill: c['accent-soft'],
  emReadModelStroke: c.accent,
  emCommandFill: c['danger-soft'],
  emCommandStroke: c.danger,
  emEventFill: c['warn-soft'],
  emEventStroke: c.warn,
  emSwimlaneBackgroundOdd: c.sunken,
  emSwimlaneBackgroundStroke: c.line,
})

/** Variables for Mermaid's `base` theme. Mermaid derives those not listed here. */
export function diagramVariables(isDark: boolean): Variables {
  const colours = isDark ? DARK : LIGHT
  const hues = isDark ? DARK_HUES : LIGHT_HUES
  return {
    darkMode: isDark,
    ...plain(colours),
    ...sequences(colours),
    ...tables(colours),
    ...plans(colours),
    ...charts(colours, hues),
    ...trees(colours, hues),
    ...maps(colours),
  }
}

/** Overrides Mermaid's style sheet for the background of labels on lines, and for the lines in timelines. */
export function diagramCss(isDark: boolean): string {
  const { bg, muted } = isDark ? DARK : LIGHT
  return `.edgeLabel rect { fill: ${bg}; opacity: 1 } .lineWrapper line { stroke: ${muted} !important }`
}
