import { Button } from '@mantine/core'
import { type ReactNode } from 'react'
import { ModuleHeader } from '../../ui/layout/module-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DisplayName } from '../../ui/layout/display-name.tsx'
import { Messages, Waiting, Tables, Trees, Links, Locked, Overlays } from './parts-content.tsx'
import { Buttons, Fields, Dropping } from './parts-controls.tsx'
import { findFramedScheme, Schemes, useFramedScheme } from './parts-schemes.tsx'
import { States } from './parts-states.tsx'
import styles from './parts.module.css'

/** Shows every component in every state, in both colour schemes. In development only; see `docs/design.md`. */
export function PartsPage(): ReactNode {
  const scheme = findFramedScheme()
  return scheme ? <Parts scheme={scheme} /> : <Schemes />
}

function Parts({ scheme }: { scheme: 'light' | 'dark' }) {
  useFramedScheme(scheme)
  return (
    <div className={styles.page}>
      <ModuleHeader title="Parts" text={`What every screen is made of, in every state: ${scheme}.`}>
        <Button variant="default">Second</Button>
        <Button>First</Button>
      </ModuleHeader>
      <States />
      <Colours />
      <Letters />
      <Shapes />
      <Buttons />
      <Fields />
      <Dropping />
      <Messages />
      <Waiting />
      <Tables />
      <Trees />
      <Links />
      <Locked />
      <Overlays />
    </div>
  )
}

const COLOURS = [
  'bg',
  'surface',
  'sunken',
  'line',
  'line-strong',
  'text',
  'muted',
  'accent',
  'accent-soft',
  'danger',
  'danger-soft',
  'warn',
  'warn-soft',
  'mark',
  'paper',
  'stage',
  'on-stage',
  'scrim',
]

function Colours() {
  return (
    <Panel title="Colours">
      <ul className={styles.swatches}>
        {COLOURS.map((name) => (
          <li key={name}>
            <span className={styles.swatch} style={{ background: `var(--dl-${name})` }} />
            {name}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const SIZES = ['caption', 'small', 'label', 'body', 'reading', 'lead', 'heading', 'title', 'display']

function Letters() {
  return (
    <Panel title="Letters">
      {SIZES.map((name) => (
        <p key={name} className={styles.sample} style={{ fontSize: `var(--dl-type-${name})` }}>
          {name}: Share a text, a file, a folder. <span lang="zh-CN">分享文本、文件和文件夹。</span>{' '}
          0123456789
        </p>
      ))}
      <p className={styles.sample} lang="ar" dir="rtl">
        شارك نصًا أو ملفًا أو مجلدًا.
      </p>
      <p className={styles.sample}>
        <DisplayName name={`${'a-very-long-name-'.repeat(12)}.txt`} />
      </p>
      <p className={styles.sample}>
        <DisplayName name={`invoice${String.fromCodePoint(0x202e)}fdp.exe`} />
      </p>
    </Panel>
  )
}

const RADII = ['-small', '-medium', '', '-large', '-pill']
const SHADOWS = ['raised', 'floating', 'overlay', 'dialog']

function Shapes() {
  return (
    <Panel title="Corners and shadows">
      <ul className={styles.swatches}>
        {RADII.map((name) => (
          <li key={name}>
            <span className={styles.shape} style={{ borderRadius: `var(--dl-radius${name})` }} />
            radius{name}
          </li>
        ))}
        {SHADOWS.map((name) => (
          <li key={name}>
            <span className={styles.shape} style={{ boxShadow: `var(--dl-shadow-${name})` }} />
            shadow-{name}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
