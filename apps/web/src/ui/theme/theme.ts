import type { CSSVariablesResolver } from '@mantine/core'
import { createTheme, localStorageColorSchemeManager } from '@mantine/core'
import { FocusKeepingButton } from '../buttons/focus-keeping-button.tsx'

const FONT = 'var(--dl-font)'

/**
 * Leaf green. Shade 7 has a contrast of 6.2:1 with white text, shade 4 a contrast of more than 6:1 with dark surfaces.
 */
export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: 'var(--dl-mono)',
  headings: { fontFamily: FONT, fontWeight: '650' },
  defaultRadius: 8,
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 7 },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { component: FocusKeepingButton } },
    // Descriptions are below the field, so that the label stays next to the field.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
  colors: {
    dark: [
      '#e5e9e5',
      '#c3cac4',
      '#a3ada6',
      '#8b958e',
      '#6b756e',
      '#313832',
      '#1b1f1c',
      '#141715',
      '#101211',
      '#0b0d0c',
    ],
    leaf: [
      '#edf7ef',
      '#d9eddd',
      '#b3dbbb',
      '#86c593',
      '#79c98a',
      '#419a50',
      '#2f8440',
      '#256e35',
      '#1c5829',
      '#123f1c',
    ],
    // Shade 7 is `--dl-danger` on light backgrounds, with a contrast of 6.5:1 to white text. Shade 4 is for dark
    // backgrounds.
    red: [
      '#fcefee',
      '#f9dcda',
      '#f3b8b3',
      '#ffb4ad',
      '#ff9a91',
      '#e0564b',
      '#c93a2f',
      '#b3261e',
      '#8f1e18',
      '#6e1712',
    ],
  },
})

const shared = {
  '--mantine-color-body': 'var(--dl-bg)',
  '--mantine-color-text': 'var(--dl-text)',
  '--mantine-color-bright': 'var(--dl-text)',
  '--mantine-color-dimmed': 'var(--dl-muted)',
  '--mantine-color-placeholder': 'var(--dl-muted)',
  '--mantine-color-default': 'var(--dl-surface)',
  '--mantine-color-default-hover': 'var(--dl-sunken)',
  '--mantine-color-default-color': 'var(--dl-text)',
  '--mantine-color-default-border': 'var(--dl-line-strong)',
  '--mantine-color-error': 'var(--dl-danger)',
  '--mantine-color-anchor': 'var(--dl-accent)',
  '--mantine-color-leaf-light': 'var(--dl-accent-soft)',
  '--mantine-color-leaf-light-hover': 'var(--dl-accent-soft)',
  '--mantine-color-leaf-light-color': 'var(--dl-accent)',
  '--mantine-color-disabled': 'var(--dl-sunken)',
  '--mantine-color-disabled-color': 'var(--dl-muted)',
  '--mantine-color-disabled-border': 'var(--dl-line)',
  '--mantine-color-red-light': 'var(--dl-danger-soft)',
  '--mantine-color-red-light-hover': 'var(--dl-danger-soft)',
  '--mantine-color-red-light-color': 'var(--dl-danger)',
  '--mantine-color-gray-light': 'var(--dl-sunken)',
  '--mantine-color-gray-light-color': 'var(--dl-text)',
  '--mantine-color-gray-light-hover': 'var(--dl-line)',
}

/** Maps Mantine's colours to our tokens, so that `tokens.css` alone defines both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'themeMode' })
