import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/**
 * Draws the icons of the installed app from the leaf of the logo into `public/icons`. Run this script again when the
 * leaf changes.
 */

const ICONS = join(import.meta.dirname, '../public/icons')
const GREEN = '#2f8440'
const BOX = 32

interface Look {
  readonly name: string
  readonly px: number
  /** Width of the leaf as a fraction of the icon. Launchers can crop a maskable icon by a fifth on each side. */
  readonly leaf: number
  /** Corner radius as a fraction of the width. */
  readonly radius: number
}

const LOOKS: readonly Look[] = [
  { name: 'icon-192', px: 192, leaf: 0.66, radius: 0.22 },
  { name: 'icon-512', px: 512, leaf: 0.66, radius: 0.22 },
  { name: 'maskable-512', px: 512, leaf: 0.5, radius: 0 },
  { name: 'apple-touch-180', px: 180, leaf: 0.62, radius: 0 },
]

function draw({ leaf, radius }: Look): string {
  const shift = (BOX * (1 - leaf)) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${BOX} ${BOX}">
    <rect width="${BOX}" height="${BOX}" rx="${BOX * radius}" fill="${GREEN}"/>
    <g transform="translate(${shift} ${shift}) scale(${leaf})">
      <path fill="#fff" d="M28 4C15 3 5 8 4.5 18.5 4.3 22.5 6.5 27 11 28c9.5 2 16.5-8 17-24Z"/>
      <path fill="none" stroke="${GREEN}" stroke-width="2.2" stroke-linecap="round" d="M7.6 24.6c3.4-5 7.4-8.8 12.4-11.6"/>
      <path fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" d="M4 29c.8-1.4 1.6-2.7 2.5-3.9"/>
    </g>
  </svg>`
}

await mkdir(ICONS, { recursive: true })
for (const look of LOOKS) {
  const picture = sharp(Buffer.from(draw(look)), { density: (72 * look.px) / BOX })
  await picture
    .resize(look.px, look.px)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(ICONS, `${look.name}.png`))
}
