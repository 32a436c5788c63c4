import {
  IconApps,
  IconBook2,
  IconCode,
  IconDatabase,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileTypography,
  IconFileWord,
  IconFileZip,
  IconMarkdown,
  IconMusic,
  IconPhoto,
  IconPresentation,
  IconTable,
  IconVideo,
  IconWorldWww,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { FileKind } from './file-kind.ts'

const ICONS: Record<FileKind, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = {
  image: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  pdf: IconFileTypePdf,
  markdown: IconMarkdown,
  html: IconWorldWww,
  text: IconFileText,
  code: IconCode,
  document: IconFileWord,
  ebook: IconBook2,
  sheet: IconTable,
  slides: IconPresentation,
  archive: IconFileZip,
  font: IconFileTypography,
  database: IconDatabase,
  program: IconApps,
  other: IconFile,
}

export function FileIcon({ kind, size = 20 }: { kind: FileKind; size?: number }) {
  const Icon = ICONS[kind]
  return <Icon size={size} aria-hidden />
}
